"""The last outputs, of which IPython keeps up to four copies."""

from __future__ import annotations

import re
from typing import Any, Collection, List, Tuple

_NUMBERED = re.compile(r"_\d+")
_LATEST = ("_", "__", "___")


def stored_outputs(shell: Any) -> List[str]:
    """Name the outputs that ``release_outputs`` would drop."""
    return [f"Out[{n}]" for n in _history(shell) if type(n) is int]


def numbered_outputs(shell: Any) -> List[Tuple[int, Any]]:
    """Return the outputs of cells, by the number of the cell."""
    found = {n: value for n, value in list(_history(shell).items()) if type(n) is int}
    for namespace in (shell.user_ns, shell.user_ns_hidden):
        for name, value in list(namespace.items()):
            if type(name) is str and _NUMBERED.fullmatch(name):
                found.setdefault(int(name[1:]), value)
    return sorted(found.items(), key=lambda item: item[0])


def latest_outputs(shell: Any) -> List[Tuple[str, Any]]:
    """Return the latest outputs by name; there are up to four copies of each."""
    places: List[Tuple[str, Any]] = []
    for name in _LATEST:
        value = getattr(shell.displayhook, name, "")
        places.append((name, value))
        hidden = shell.user_ns_hidden.get(name, "")
        places.append((name, hidden))
    result = shell.last_execution_result
    places.append(("last result", getattr(result, "result", None)))
    places.append(("last result", getattr(shell.displayhook.exec_result, "result", None)))
    return [(name, value) for name, value in places if value is not None and type(value) is not str]


def release_named_outputs(shell: Any, names: Collection[str]) -> None:
    """Drop outputs by the number of their cell, or by names such as ``_``."""
    for number, value in numbered_outputs(shell):
        if str(number) in names:
            _release_value(shell, value)
    for name, value in latest_outputs(shell):
        if name in names:
            _release_value(shell, value)


def _release_value(shell: Any, value: Any) -> None:
    """Drop one output from all places that keep it."""
    history = _history(shell)
    for number in [n for n, kept in list(history.items()) if kept is value]:
        del history[number]
    for namespace in (shell.user_ns, shell.user_ns_hidden):
        for name, kept in list(namespace.items()):
            if kept is not value or type(name) is not str:
                continue
            if name in _LATEST:
                namespace[name] = ""
            elif _NUMBERED.fullmatch(name):
                del namespace[name]
    for name in _LATEST:
        if getattr(shell.displayhook, name, None) is value:
            setattr(shell.displayhook, name, "")
    for result in (shell.last_execution_result, shell.displayhook.exec_result):
        if getattr(result, "result", None) is value:
            result.result = None


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
