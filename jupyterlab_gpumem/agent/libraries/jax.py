"""JAX's allocators, one per device of each started backend."""

from __future__ import annotations

import sys
from typing import Any, List

from ...wire import LibraryMemory
from .entry import entry


def read() -> List[LibraryMemory]:
    """Return the figures of all devices but the processor, which has none."""
    # Not ``jax.local_devices()``: that starts the backends.
    bridge: Any = sys.modules.get("jax._src.xla_bridge")
    backends = getattr(bridge, "_backends", None) or {}
    found: List[LibraryMemory] = []
    for backend in list(backends.values()):
        for device in backend.local_devices():
            stats = device.memory_stats() if device.platform != "cpu" else None
            if stats:
                found.append(
                    entry(
                        "jax",
                        f"{device.platform}:{device.id}",
                        used=stats.get("bytes_in_use"),
                        reserved=stats.get("pool_bytes"),
                        peak=stats.get("peak_bytes_in_use"),
                    )
                )
    return found
