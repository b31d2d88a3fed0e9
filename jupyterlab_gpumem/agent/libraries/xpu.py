"""PyTorch on Intel's GPUs."""

from __future__ import annotations

import sys
from typing import Any, List

from ...wire import LibraryMemory
from .entry import entry


def read() -> List[LibraryMemory]:
    """Return the allocator's figures of each device once the user has started XPU."""
    xpu: Any = sys.modules.get("torch.xpu")
    is_initialized = getattr(xpu, "is_initialized", None)
    if is_initialized is None or not is_initialized():
        return []
    return [
        entry(
            "xpu",
            f"xpu:{index}",
            used=xpu.memory_allocated(index),
            reserved=xpu.memory_reserved(index),
            peak=xpu.max_memory_allocated(index),
        )
        for index in range(xpu.device_count())
    ]
