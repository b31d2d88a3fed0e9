"""What a thread of the kernel is doing, seen from another one."""

from __future__ import annotations

import sys

_SHELL = "IPython.core.interactiveshell"


def runs_cell(thread: int) -> bool:
    """Tell whether a cell of the user is on the stack of ``thread``.

    A cell that waits in ``await`` is not there and counts as none.
    """
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if frame.f_code.co_name == "run_cell_async" and frame.f_globals.get("__name__") == _SHELL:
            return not frame.f_locals.get("silent")
        frame = frame.f_back
    return False
