"""Figures of PyTorch's CUDA allocator."""

from __future__ import annotations

import sys
from typing import Any, Dict, List, Optional, Tuple

from ..wire import Allocator
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
        self._identities: Dict[int, Tuple[Optional[str], str]] = {}

    def read(self) -> Optional[List[Allocator]]:
        """Return one entry per device in use, None while CUDA has not been started."""
        try:
            cuda = started_cuda()
            if cuda is None:
                return None
            return [self._device(cuda, index) for index in context_devices(cuda)]
        except Exception:  # noqa: BLE001  a failing driver means "unknown", not noise in a cell
            return None

    def _device(self, cuda: Any, index: int) -> Allocator:
        # One call, not four getters: each of them builds the whole dictionary.
        stats = cuda.memory_stats(index)
        if index not in self._identities:
            self._identities[index] = _identity(cuda.get_device_properties(index))
        uuid, name = self._identities[index]
        return {
            "index": index,
            "uuid": uuid,
            "name": name,
            "allocated_bytes": stats.get("allocated_bytes.all.current"),
            "reserved_bytes": stats.get("reserved_bytes.all.current"),
            "peak_allocated_bytes": stats.get("allocated_bytes.all.peak"),
            "inactive_split_bytes": stats.get("inactive_split_bytes.all.current"),
        }


def _identity(properties: Any) -> Tuple[Optional[str], str]:
    uuid = getattr(properties, "uuid", None)  # absent in older PyTorch
    if uuid is None:
        return None, plain(str(properties.name), 120)
    text = plain(str(uuid), 80).lower()
    for prefix in ("gpu-", "mig-"):
        if text.startswith(prefix):
            text = text[len(prefix) :]
    return text, plain(str(properties.name), 120)
