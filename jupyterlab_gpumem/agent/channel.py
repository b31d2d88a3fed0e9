"""Messages from the kernel to whoever listens."""

from __future__ import annotations

from typing import Any, Dict

from ..wire import COMM_ID, Push


class Channel:
    """Send figures on the kernel's iopub; safe on any thread.

    A fixed comm id that nobody opened: frontends ignore messages of a comm they do not know, and
    there is nothing to re-open after a page was reloaded.
    """

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel

    def current_request(self) -> Dict[str, Any]:
        """Return the request that the calling thread answers, for use as parent of a push."""
        return dict(self._kernel.get_parent("shell"))

    def say_busy(self, cell: Dict[str, Any]) -> None:
        """Repeat that the kernel is at work on the request ``cell``.

        Whoever asks the kernel beside a cell makes it say that it is idle when that is done.
        """
        self._kernel.session.send(
            self._kernel.iopub_socket,
            "status",
            {"execution_state": "busy"},
            parent=cell,
            ident=b"status",
        )

    def push(self, figures: Push, parent: Dict[str, Any]) -> None:
        """Send ``figures`` as part of the answer to ``parent``, so that no output goes astray."""
        self._kernel.session.send(
            self._kernel.iopub_socket,
            "comm_msg",
            {"comm_id": COMM_ID, "data": figures},
            parent=parent,
            ident=b"comm-" + COMM_ID.encode(),
        )
