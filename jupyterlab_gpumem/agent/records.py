"""What each cell did to the memory."""

from __future__ import annotations

import time
from collections import deque
from typing import Any, Deque, Dict, List, Optional

from ..wire import AgentCell, AgentCellDevice, Allocator
from .failures import out_of_memory
from .text import plain, type_name

KEPT = 50


class Record:
    """One cell from its beginning, with what the allocators said then."""

    def __init__(
        self, number: int, cell_id: Optional[str], before: Optional[List[Allocator]]
    ) -> None:
        self._number = number
        self._cell_id = cell_id
        self._began = time.monotonic()
        self._began_ms = int(time.time() * 1000)
        self._before = {each["index"]: each for each in before or ()}
        self._seen: Dict[int, int] = {}
        self.look(before)

    def look(self, allocators: Optional[List[Allocator]]) -> None:
        """Take figures of the cell into account, and put its peaks into them."""
        for each in allocators or ():
            allocated = each["allocated_bytes"] or 0
            self._seen[each["index"]] = max(self._seen.get(each["index"], 0), allocated)
            each["cell_peak_allocated_bytes"] = self._peak(each)

    def end(self, allocators: Optional[List[Allocator]], result: Any) -> AgentCell:
        """Return what is known of the cell now that it has ended; ``result`` is IPython's."""
        self.look(allocators)
        error = getattr(result, "error_before_exec", None) or getattr(result, "error_in_exec", None)
        return {
            "cell": self._number,
            "cell_id": self._cell_id,
            "execution_count": _execution_count(result),
            "began_ms": self._began_ms,
            "duration_ms": int((time.monotonic() - self._began) * 1000),
            "error": None if error is None else plain(type_name(type(error)), 80),
            "out_of_memory": error is not None and out_of_memory(error),
            "devices": [self._device(each) for each in allocators or ()],
        }

    def _device(self, after: Allocator) -> AgentCellDevice:
        # A device that the cell was the first to use held nothing before.
        before = self._before.get(after["index"])
        return {
            "index": after["index"],
            "uuid": after["uuid"],
            "allocated_before_bytes": before["allocated_bytes"] if before else 0,
            "allocated_after_bytes": after["allocated_bytes"],
            "peak_allocated_bytes": after["cell_peak_allocated_bytes"],
            "seen_allocated_bytes": self._seen[after["index"]],
            "reserved_before_bytes": before["reserved_bytes"] if before else 0,
            "reserved_after_bytes": after["reserved_bytes"],
        }

    def _peak(self, now: Allocator) -> Optional[int]:
        """Return the peak of this cell; None if one of an earlier cell hides it.

        The allocator keeps one peak since the user last reset it. That is the user's to reset.
        """
        peak = now["peak_allocated_bytes"]
        if peak is None:
            return None
        before = self._before.get(now["index"])
        earlier = (before["peak_allocated_bytes"] or 0) if before else 0
        return peak if peak > earlier or self._seen[now["index"]] >= peak else None


def _execution_count(result: Any) -> Optional[int]:
    # IPython 9 gives a number to cells that are not stored as well.
    if not getattr(getattr(result, "info", None), "store_history", False):
        return None
    count = result.execution_count
    return count if type(count) is int else None


class Ring:
    """The records of the last cells."""

    def __init__(self) -> None:
        self._cells: Deque[AgentCell] = deque(maxlen=KEPT)

    def add(self, cell: AgentCell) -> None:
        """Keep one more, in place of the oldest."""
        self._cells.append(cell)

    def all(self) -> List[AgentCell]:
        """Return what is kept, the oldest first."""
        return list(self._cells)


def cell_id_of(request: Dict[str, Any]) -> Optional[str]:
    """Return the id that the notebook gave the cell of an execute request."""
    metadata = request.get("metadata")
    value = metadata.get("cellId") if isinstance(metadata, dict) else None
    return plain(value, 80) if isinstance(value, str) and value else None
