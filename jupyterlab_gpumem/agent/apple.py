"""Figures of PyTorch's allocator on the GPU of a Mac, which no driver tells to other processes."""

from __future__ import annotations

import sys
from typing import Any, Optional

from ..wire import Allocator

UUID = "mps"
"""Stands for the identity of the one GPU there is."""


def read_apple() -> Optional[Allocator]:
    """Return what the kernel holds on it; None if that is nothing, or there is no such GPU.

    Imports nothing. Not in the interpreter's way: the calls take microseconds.
    """
    mps: Any = sys.modules.get("torch.mps")
    backend: Any = sys.modules.get("torch.backends.mps")
    if mps is None or backend is None or not backend.is_available():
        return None
    reserved = mps.driver_allocated_memory()
    if not reserved:
        return None
    recommended_max = getattr(mps, "recommended_max_memory", None)  # absent in older PyTorch
    return {
        "index": 0,
        "uuid": UUID,
        "pci": None,
        "name": "Apple GPU",
        "total_bytes": recommended_max() if recommended_max is not None else None,
        "allocated_bytes": mps.current_allocated_memory(),
        "reserved_bytes": reserved,
        "active_bytes": None,
        "peak_allocated_bytes": None,
        "cell_peak_allocated_bytes": None,
        "inactive_split_bytes": None,
        "num_ooms": None,
        "num_alloc_retries": None,
    }
