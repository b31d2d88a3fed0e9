"""The last outputs, of which IPython keeps up to four copies."""

from __future__ import annotations

import re
from typing import Any, List

_NUMBERED = re.compile(r"_\d+")
_LATEST = ("_", "__", "___")


def stored_outputs(shell: Any) -> List[str]:
    """Name the outputs that ``release_outputs`` would drop."""
    return [f"Out[{n}]" for n in _history(shell) if type(n) is int]


def release_outputs(shell: Any) -> None:
    """Drop the values of all outputs; their text in the notebook stays.

    The hidden namespace has a copy of its own, which ``%reset out`` forgets.
    """
    _history(shell).clear()
    for namespace in (shell.user_ns, shell.user_ns_hidden):
        for name in [n for n in namespace if type(n) is str]:
            if name in _LATEST:
                namespace[name] = ""
            elif _NUMBERED.fullmatch(name):
                del namespace[name]
    for name in _LATEST:
        setattr(shell.displayhook, name, "")
    shell.displayhook.exec_result = None


def release_last_result(shell: Any, result: Any) -> None:
    """Empty ``result``, the shell's last execution result, and see that there is one.

    ``%xdel`` fails when there is none, as after a plain reset.
    """
    if result is None:
        return
    result.result = result.error_before_exec = result.error_in_exec = None
    if shell.last_execution_result is None:
        shell.last_execution_result = result


def _history(shell: Any) -> Any:
    # Not user_ns["_oh"], which the user can rebind.
    return shell.history_manager.output_hist
