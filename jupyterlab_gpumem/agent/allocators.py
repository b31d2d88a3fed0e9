"""Figures of PyTorch's allocators."""

from __future__ import annotations

import sys
from typing import Any, Dict, List, Optional

from ..wire import Allocator
from .apple import read_apple
from .text import plain


def started_cuda() -> Any:
    """Return ``torch.cuda`` if the user has started CUDA, else None.

    Looked up by its own name: while ``import torch`` is under way ``torch`` has no such attribute
    yet.
    """
    cuda: Any = sys.modules.get("torch.cuda")
    is_initialized = getattr(cuda, "is_initialized", None)
    return cuda if is_initialized is not None and is_initialized() else None


def context_devices(cuda: Any) -> List[int]:
    """List the devices that this process has a context on.

    Most calls of the driver would otherwise create one, which costs hundreds of MiB.
    """
    has_context = getattr(sys.modules.get("torch._C"), "_cuda_hasPrimaryContext", None)
    return [i for i in range(cuda.device_count()) if has_context is None or has_context(i)]


def records_history() -> bool:
    """Tell whether the user records allocations, when no second thread may ask the allocator."""
    is_enabled = getattr(sys.modules.get("torch._C"), "_cuda_isHistoryEnabled", None)
    return bool(is_enabled is not None and is_enabled())


class Allocators:
    """Read the allocator without importing torch or starting CUDA; safe on any thread."""

    def __init__(self) -> None:
        self._identities: Dict[int, _Identity] = {}

    def read(self) -> Optional[List[Allocator]]:
        """Return one entry per device in use, None while no GPU has been used."""
        try:
            cuda = started_cuda()
            if cuda is None:
                apple = read_apple()
                return None if apple is None else [apple]
            return [self._device(cuda, index) for index in context_devices(cuda)]
        except Exception:  # noqa: BLE001  a failing driver means "unknown", not noise in a cell
            return None

    def _device(self, cuda: Any, index: int) -> Allocator:
        # One call, not four getters: each of them builds the whole dictionary.
        stats = cuda.memory_stats(index)
        if index not in self._identities:
            self._identities[index] = _Identity(cuda.get_device_properties(index))
        identity = self._identities[index]
        return {
            "index": index,
            "uuid": identity.uuid,
            "pci": identity.pci,
            "name": identity.name,
            "total_bytes": identity.total_bytes,
            "allocated_bytes": stats.get("allocated_bytes.all.current"),
            "reserved_bytes": stats.get("reserved_bytes.all.current"),
            "active_bytes": stats.get("active_bytes.all.current"),
            "peak_allocated_bytes": stats.get("allocated_bytes.all.peak"),
            "cell_peak_allocated_bytes": None,
            "inactive_split_bytes": stats.get("inactive_split_bytes.all.current"),
            "num_ooms": stats.get("num_ooms"),
            "num_alloc_retries": stats.get("num_alloc_retries"),
        }


class _Identity:
    """What tells a device from the others, whatever number it has in this process."""

    def __init__(self, properties: Any) -> None:
        self.name = plain(str(properties.name), 120)
        self.total_bytes: Optional[int] = getattr(properties, "total_memory", None)
        self.uuid = _uuid(getattr(properties, "uuid", None))  # absent in older PyTorch
        self.pci: Optional[str] = None
        address: List[Any] = [
            getattr(properties, f"pci_{part}_id", None) for part in ("domain", "bus", "device")
        ]
        if all(isinstance(number, int) for number in address):
            self.pci = "{:04x}:{:02x}:{:02x}.0".format(*address)


def _uuid(uuid: Any) -> Optional[str]:
    if uuid is None:
        return None
    text = plain(str(uuid), 80).lower()
    for prefix in ("gpu-", "mig-"):
        if text.startswith(prefix):
            text = text[len(prefix) :]
    return text
