"""What the last cells of a kernel's process did, as its agent told."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...wire import AgentCell, Push

KEPT = 200


class CellLog:
    """Keep the last cells, whichever message brought them."""

    def __init__(self) -> None:
        self._cells: dict[int, AgentCell] = {}

    @property
    def last(self) -> AgentCell | None:
        """The cell that began last among those that have ended."""
        return self._cells[max(self._cells)] if self._cells else None

    def add(self, push: Push) -> None:
        """Take the cells of a message."""
        if self._cells and push["cell"] < max(self._cells):
            # An agent that the user's code had removed counts anew.
            self._cells.clear()
        self._cells.update({cell["cell"]: cell for cell in push["cells"]})
        for number in sorted(self._cells)[:-KEPT]:
            del self._cells[number]

    def all(self) -> list[AgentCell]:
        """Return what is kept, the oldest first."""
        return [self._cells[number] for number in sorted(self._cells)]
