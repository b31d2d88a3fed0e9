"""CuPy's pool on the device that the calling thread uses."""

from __future__ import annotations

import sys
from typing import Any, List

from ...wire import LibraryMemory
from .entry import entry


def read() -> List[LibraryMemory]:
    """Return the pool's figures; nothing before it has taken memory."""
    cupy: Any = sys.modules.get("cupy")
    get_pool = getattr(cupy, "get_default_memory_pool", None)
    if get_pool is None:
        return []
    pool = get_pool()
    total = pool.total_bytes()
    if not total:
        return []
    device = f"cuda:{cupy.cuda.runtime.getDevice()}"
    return [entry("cupy", device, used=pool.used_bytes(), reserved=total)]
