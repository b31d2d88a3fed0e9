"""How devices and kernels look on the wire: plain functions from readings to contract types."""

from __future__ import annotations

import posixpath
import time
from typing import TYPE_CHECKING, Any

from ..devices.provider import DeviceSample
from .kernels.owners import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ..devices.provider import DeviceReading, ProviderStatus
    from ..wire import Allocator, Device, KernelDevice, Memory, Process, Provider, UsedSource
    from .kernels.owners import Owner

HOST_KIND = "host"
APPLE_UUID = "mps"
STALE_AFTER_INTERVALS = 3


def provider_view(status: ProviderStatus) -> Provider:
    """Show how a provider is."""
    return {
        "name": status.name,
        "state": status.state,
        "detail": status.detail,
        "hint": status.hint,
    }


def device_view(
    reading: DeviceReading, owners: Mapping[int, Owner], *, interval_s: float
) -> Device:
    """Show a device with its processes, each under the kernel it belongs to."""
    sample = reading.sample or DeviceSample()
    processes = _processes(reading, owners)
    age_s = None if reading.sampled_at is None else max(0.0, time.monotonic() - reading.sampled_at)
    return {
        "key": reading.info.key,
        "provider": reading.info.key.partition(":")[0],
        "kind": reading.info.kind,
        "index": reading.info.index,
        "name": reading.info.name,
        "parent_key": reading.info.parent_key,
        "state": sample.state,
        "stale": age_s is None or age_s > STALE_AFTER_INTERVALS * interval_s,
        "age_ms": None if age_s is None else round(age_s * 1000),
        "memory": _memory(sample),
        "utilization_pct": sample.utilization_pct,
        "temperature_c": sample.temperature_c,
        "power_w": sample.power_w,
        "processes": processes,
        "other_bytes": _other(processes),
        "unattributed_bytes": _unattributed(sample.used_bytes, processes),
    }


def reported_device_view(key: str, allocators: Sequence[Allocator]) -> Device:
    """Show a device that no provider sees, by what the kernels on it tell.

    A driver library out of reach, or a Mac, which tells other processes nothing.
    """
    first = allocators[0]
    used = total_or_unknown(allocator["reserved_bytes"] for allocator in allocators)
    sample = DeviceSample(total_bytes=first["total_bytes"], used_bytes=used)
    return {
        "key": key,
        "provider": key.partition(":")[0],
        "kind": "unified" if first["uuid"] == APPLE_UUID else "dedicated",
        "index": None,
        "name": first["name"],
        "parent_key": None,
        "state": "ok",
        # A kernel tells at once when its figures change.
        "stale": False,
        "age_ms": 0,
        "memory": _memory(sample),
        "utilization_pct": None,
        "temperature_c": None,
        "power_w": None,
        "processes": None,
        "other_bytes": None,
        "unattributed_bytes": None,
    }


def kernel_device_view(key: str, used: int | None, allocator: Allocator | None) -> KernelDevice:
    """Show the memory of a kernel on a device.

    ``used`` is the driver's figure. Where it has none, or says nothing in a container, the
    allocator's stands in.
    """
    reserved = allocator["reserved_bytes"] if allocator else None
    context = None
    source: UsedSource | None = None if used is None else "driver"
    if not used and reserved is not None and (used is None or reserved > 0):
        used, source = reserved, "kernel"
    elif used is not None and reserved is not None:
        context = max(0, used - reserved)
    return {
        "key": key,
        "used_bytes": used,
        "used_source": source,
        "allocated_bytes": allocator["allocated_bytes"] if allocator else None,
        "reserved_bytes": reserved,
        "active_bytes": allocator["active_bytes"] if allocator else None,
        "peak_allocated_bytes": allocator["peak_allocated_bytes"] if allocator else None,
        "cell_peak_allocated_bytes": allocator["cell_peak_allocated_bytes"] if allocator else None,
        "inactive_split_bytes": allocator["inactive_split_bytes"] if allocator else None,
        "num_ooms": allocator["num_ooms"] if allocator else None,
        "num_alloc_retries": allocator["num_alloc_retries"] if allocator else None,
        "context_bytes": context,
    }


def document(
    sessions: Iterable[Mapping[str, Any]],
) -> tuple[str | None, str | None, str | None]:
    """Return path, name and type of the document of a kernel.

    A notebook before a console on the same kernel.
    """
    ranked = sorted(sessions, key=lambda session: session.get("type") != "notebook")
    if not ranked:
        return None, None, None
    path = str(ranked[0].get("path") or "")
    name = str(ranked[0].get("name") or "") or posixpath.basename(path)
    return path or None, name or None, str(ranked[0].get("type") or "") or None


def total_or_unknown(values: Iterable[int | None]) -> int | None:
    """Add sizes up; the sum with an unknown one is unknown."""
    total = 0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _memory(sample: DeviceSample) -> Memory:
    return {
        "total_bytes": sample.total_bytes,
        "used_bytes": sample.used_bytes,
        "reserved_bytes": sample.reserved_bytes,
        "free_bytes": sample.free_bytes,
        "used_includes_reserved": sample.used_includes_reserved,
    }


def _processes(reading: DeviceReading, owners: Mapping[int, Owner]) -> list[Process] | None:
    if reading.processes is None:
        return None
    shown: list[Process] = []
    for entry in reading.processes:
        owner = owners.get(entry.pid, UNKNOWN)
        shown.append(
            {
                "pid": entry.pid,
                "used_bytes": entry.used_bytes,
                "kind": entry.kind,
                "relation": owner.relation,
                "kernel_id": owner.kernel_id,
                "name": owner.name,
            }
        )
    return shown


def _other(processes: list[Process] | None) -> int | None:
    if processes is None:
        return None
    return total_or_unknown(p["used_bytes"] for p in processes if p["kernel_id"] is None)


def _unattributed(used: int | None, processes: list[Process] | None) -> int | None:
    """Return what no listed process accounts for.

    A process of unknown size counts as nothing here, so the figure is an upper bound then. Never
    negative: memory shared by two processes is counted in both.
    """
    if used is None or processes is None:
        return None
    return max(0, used - sum(process["used_bytes"] or 0 for process in processes))
