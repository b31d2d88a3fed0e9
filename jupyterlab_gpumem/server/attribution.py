"""Who holds what: devices with their processes put down to kernels, and kernels with their share.

Plain functions from readings and kernels' own figures to contract types.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .kernels.owners import Owner
from .matching import match, reported_key
from .views import device_view, kernel_device_view, reported_device_view, total_or_unknown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..devices.provider import DeviceReading
    from ..wire import Allocator, Device, KernelDevice

CLAIMING = frozenset({"nvml"})
"""Providers whose process ids are the driver's word; the others found them in ``/proc``."""
OWN_RELATIONS = frozenset({"kernel", "child", "orphan"})
STRANGER = Owner(relation="unknown")


@dataclass(frozen=True)
class Attribution:
    """Devices in stable order, and the shares of each kernel by its id."""

    devices: list[Device]
    kernels: dict[str, list[KernelDevice]]


def attribute(
    readings: Sequence[DeviceReading],
    owners: Mapping[int, Owner],
    kernels: Mapping[str, Sequence[Allocator]],
    *,
    believed: set[int],
    interval_s: float,
) -> Attribution:
    """Join what the devices and the kernels say.

    ``kernels`` holds each kernel's own figures, ``believed`` the process ids of drivers that name
    the process of that number here.
    """
    checked = {pid: owner if pid in believed else STRANGER for pid, owner in owners.items()}
    devices = [
        device_view(reading, checked if _is_claim(reading) else owners, interval_s=interval_s)
        for reading in readings
    ]
    addresses = {
        reading.info.pci: reading.info.key
        for reading in readings
        if reading.info.pci is not None and reading.info.parent_key is None
    }
    shares: dict[str, list[KernelDevice]] = {}
    unseen: defaultdict[str, list[Allocator]] = defaultdict(list)
    for kernel_id, allocators in kernels.items():
        matched, rest = match(kernel_id, allocators, devices, addresses=addresses)
        shares[kernel_id] = _shares(kernel_id, devices, matched)
        for allocator in rest:
            unseen[reported_key(allocator)].append(allocator)
            shares[kernel_id].append(kernel_device_view(reported_key(allocator), None, allocator))
    for device in devices:
        _count_once(device, shares)
    devices += [reported_device_view(key, allocators) for key, allocators in unseen.items()]
    return Attribution(devices, shares)


def without_others(device: Device) -> Device:
    """Leave out the processes that are none of the user's kernels; their sum stays."""
    processes = device["processes"]
    if processes is not None:
        processes = [p for p in processes if p["relation"] in OWN_RELATIONS]
    return {**device, "processes": processes}


def _is_claim(reading: DeviceReading) -> bool:
    return reading.info.key.partition(":")[0] in CLAIMING


def _shares(
    kernel_id: str, devices: Sequence[Device], allocators: Mapping[str, Allocator]
) -> list[KernelDevice]:
    shares = []
    for device in devices:
        allocator = allocators.get(device["key"])
        mine = [p for p in device["processes"] or () if p["kernel_id"] == kernel_id]
        if allocator is not None or mine:
            used = total_or_unknown(process["used_bytes"] for process in mine) if mine else None
            shares.append(kernel_device_view(device["key"], used, allocator))
    return shares


def _count_once(device: Device, shares: Mapping[str, Sequence[KernelDevice]]) -> None:
    """Take what kernels report for themselves out of what was put down to nobody.

    It is there among what no process accounts for, else among processes that may be the kernels.
    """
    reported = sum(
        share["used_bytes"] or 0
        for kernel in shares.values()
        for share in kernel
        if share["key"] == device["key"] and share["used_source"] == "kernel"
    )
    if device["unattributed_bytes"] is not None:
        taken = min(reported, device["unattributed_bytes"])
        device["unattributed_bytes"] -= taken
        reported -= taken
    if device["other_bytes"] is not None:
        unknown = sum(
            process["used_bytes"] or 0
            for process in device["processes"] or ()
            if process["relation"] == "unknown"
        )
        device["other_bytes"] -= min(reported, unknown, device["other_bytes"])
