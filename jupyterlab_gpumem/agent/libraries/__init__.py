"""Memory that libraries other than PyTorch's CUDA allocator hold.

Each module reads one library if the user has started it, and has ``read``, which returns one entry
per device. None of them imports the library or starts a device.
"""

from __future__ import annotations

from typing import List

from ...wire import LibraryMemory
from . import cupy, jax, tensorflow, xpu

READERS = (cupy.read, jax.read, tensorflow.read, xpu.read)


def read_libraries() -> List[LibraryMemory]:
    """Return what the libraries in use hold; safe on any thread."""
    found: List[LibraryMemory] = []
    for read in READERS:
        try:
            found.extend(read())
        except Exception:  # noqa: BLE001, S112  another version of a library: nothing is known of it
            continue
    return found
