"""Which device of the server a device of PyTorch is.

By UUID, else by bus address, never by index: ``CUDA_VISIBLE_DEVICES`` renumbers the devices of a
kernel, and CUDA's own order is not the driver's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..wire import Allocator, Device


def match(
    kernel_id: str,
    allocators: Sequence[Allocator],
    devices: Sequence[Device],
    *,
    addresses: Mapping[str, str],
) -> tuple[dict[str, Allocator], list[Allocator]]:
    """Return the allocators by the key of their device, and those of devices not seen here.

    ``addresses`` maps bus addresses of whole GPUs to keys.
    """
    matched: dict[str, Allocator] = {}
    rest: list[Allocator] = []
    for allocator in allocators:
        key = _by_uuid(allocator["uuid"], devices) or addresses.get(allocator["pci"] or "")
        if key is not None:
            key = _instance(key, kernel_id, devices)
        if key is None or key in matched:
            rest.append(allocator)
        else:
            matched[key] = allocator
    _eliminate(matched, rest, [d["key"] for d in devices if _is_used_by(d, kernel_id)])
    return matched, rest


def reported_key(allocator: Allocator) -> str:
    """Return the key of a device that only kernels tell of."""
    identity = allocator["uuid"] or allocator["pci"] or f"cuda-{allocator['index']}"
    return f"kernel:{identity}"


def _by_uuid(uuid: str | None, devices: Sequence[Device]) -> str | None:
    """Find a device; PyTorch leaves out the prefix that tells a MIG instance from a GPU."""
    known = {device["key"].partition(":")[2]: device["key"] for device in devices}
    return known.get(uuid or "") or known.get(f"mig-{uuid}")


def _instance(key: str, kernel_id: str, devices: Sequence[Device]) -> str:
    """Go from a GPU to the MIG instance that the kernel is in: a process sees only one."""
    instances = [device for device in devices if device["parent_key"] == key]
    mine = [device for device in instances if _is_used_by(device, kernel_id)]
    candidates = mine or instances
    return candidates[0]["key"] if len(candidates) == 1 else key


def _eliminate(
    matched: dict[str, Allocator], rest: list[Allocator], used_keys: Sequence[str]
) -> None:
    """Match the one allocator without identity (older PyTorch) to the one GPU that is left."""
    nameless = [a for a in rest if a["uuid"] is None and a["pci"] is None]
    left = [key for key in used_keys if key not in matched]
    if len(nameless) == len(left) == 1:
        matched[left[0]] = nameless[0]
        rest.remove(nameless[0])


def _is_used_by(device: Device, kernel_id: str) -> bool:
    if device["kind"] == "host":
        return False
    return any(process["kernel_id"] == kernel_id for process in device["processes"] or ())
