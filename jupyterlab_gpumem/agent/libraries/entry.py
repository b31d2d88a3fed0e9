"""How the memory of a library is told."""

from __future__ import annotations

from typing import Any, Optional

from ...wire import LibraryMemory, LibraryName
from ..text import plain


def entry(
    library: LibraryName, device: str, *, used: Any, reserved: Any = None, peak: Any = None
) -> LibraryMemory:
    """Put the figures of one device into the contract's form."""
    return {
        "library": library,
        "device": plain(device, 40),
        "used_bytes": _size(used),
        "reserved_bytes": _size(reserved),
        "peak_bytes": _size(peak),
    }


def _size(value: Any) -> Optional[int]:
    return value if type(value) is int and value >= 0 else None
