"""Figures on request, when no cell runs that would push them."""

from __future__ import annotations

from typing import Any, Dict

from ..wire import COMM_TARGET
from .cells import Cells
from .channel import Channel


class Refresh:
    """Answer each opening of a comm of ours with one push, and forget the comm.

    An opening calls none of the hooks that a comm message or a cell calls.
    """

    def __init__(self, kernel: Any, cells: Cells, channel: Channel) -> None:
        self._manager: Any = getattr(kernel, "comm_manager", None)  # other kernels have none
        self._cells = cells
        self._channel = channel

    def attach(self) -> None:
        """Register in place of an earlier version."""
        if self._manager is not None:
            self._manager.register_target(COMM_TARGET, self._opened)

    def _opened(self, comm: Any, request: Dict[str, Any]) -> None:
        # Else the end of the comm would be told to pages, which call it an error.
        comm._closed = True
        self._manager.unregister_comm(comm)
        self._channel.push(self._cells.figures(), request)
