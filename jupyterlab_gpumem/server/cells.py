"""How cells look on the wire: with the keys of the devices instead of PyTorch's numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..wire import AgentCell, AgentCellDevice, Cell, CellDevice, KernelDevice


def cell_view(cell: AgentCell, shares: Sequence[KernelDevice]) -> Cell:
    """Show a cell of the kernel that has these shares of the devices."""
    return {
        "cell": cell["cell"],
        "cell_id": cell["cell_id"],
        "execution_count": cell["execution_count"],
        "began_ms": cell["began_ms"],
        "duration_ms": cell["duration_ms"],
        "error": cell["error"],
        "out_of_memory": cell["out_of_memory"],
        "devices": [_device(device, shares) for device in cell["devices"]],
    }


def _device(device: AgentCellDevice, shares: Sequence[KernelDevice]) -> CellDevice:
    return {
        "key": _key(device, shares),
        "allocated_before_bytes": device["allocated_before_bytes"],
        "allocated_after_bytes": device["allocated_after_bytes"],
        "peak_allocated_bytes": device["peak_allocated_bytes"],
        "seen_allocated_bytes": device["seen_allocated_bytes"],
        "reserved_before_bytes": device["reserved_before_bytes"],
        "reserved_after_bytes": device["reserved_after_bytes"],
    }


def _key(device: AgentCellDevice, shares: Sequence[KernelDevice]) -> str:
    """Find the device among those whose allocator is known, the only one if there is but one."""
    known = [share["key"] for share in shares if share["reserved_bytes"] is not None]
    identity = device["uuid"] or f"cuda-{device['index']}"
    for key in known:
        if key.partition(":")[2] in (identity, f"mig-{identity}"):
            return key
    return known[0] if len(known) == 1 else f"kernel:{identity}"
