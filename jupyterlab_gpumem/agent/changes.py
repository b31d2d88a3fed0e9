"""Which changes of the figures are worth a message while a cell runs."""

from __future__ import annotations

from typing import List, Optional, Tuple

from ..wire import Allocator, LibraryMemory

RELEVANT_CHANGE = 0.02

Figures = Tuple[Optional[List[Allocator]], List[LibraryMemory]]
"""PyTorch's and the other libraries'."""


def differs(old: Figures, new: Figures) -> bool:
    """Tell whether ``new`` is worth a message."""
    return _allocators_differ(old[0], new[0]) or _libraries_differ(old[1], new[1])


def _allocators_differ(old: Optional[List[Allocator]], new: Optional[List[Allocator]]) -> bool:
    if old is None or new is None:
        return old is not new
    return len(old) != len(new) or any(map(_device_differs, old, new))


def _device_differs(old: Allocator, new: Allocator) -> bool:
    if old["index"] != new["index"] or old["reserved_bytes"] != new["reserved_bytes"]:
        return True
    return _size_differs(old["allocated_bytes"], new["allocated_bytes"])


def _libraries_differ(old: List[LibraryMemory], new: List[LibraryMemory]) -> bool:
    return len(old) != len(new) or any(map(_library_differs, old, new))


def _library_differs(old: LibraryMemory, new: LibraryMemory) -> bool:
    return old["device"] != new["device"] or _size_differs(old["used_bytes"], new["used_bytes"])


def _size_differs(old: Optional[int], new: Optional[int]) -> bool:
    before, after = old or 0, new or 0
    return abs(after - before) > RELEVANT_CHANGE * before
