"""The last exceptions, which IPython and Python keep with all their frames."""

from __future__ import annotations

import sys
from typing import Any, List

from .text import plain, type_name

_OF_SYS = ("last_exc", "last_type", "last_value", "last_traceback")
_OF_HANDLERS = ("tb", "pdb", "last_syntax_error")


def stored_exceptions(shell: Any) -> List[str]:
    """Describe the exceptions that ``release_exceptions`` would drop."""
    kept: List[Any] = [
        vars(sys).get("last_exc"),
        vars(sys).get("last_value"),
        getattr(shell.SyntaxTB, "last_syntax_error", None),
    ]
    distinct = {id(e): _describe(e) for e in kept if issubclass(type(e), BaseException)}
    if not distinct and getattr(shell.InteractiveTB, "tb", None) is not None:
        return ["traceback"]
    return list(distinct.values())


def kept_exceptions(shell: Any) -> List[Any]:
    """Return all that keeps frames of the last exceptions."""
    kept = [vars(sys).get(name) for name in _OF_SYS if name != "last_type"]
    for handler in (shell.InteractiveTB, shell.SyntaxTB):
        kept += [getattr(handler, name, None) for name in _OF_HANDLERS]
    debugger: Any = getattr(sys.modules.get("pdb"), "Pdb", None)
    kept.append(getattr(debugger, "_last_pdb_instance", None))
    result = shell.last_execution_result
    kept += [getattr(result, name, None) for name in ("error_in_exec", "error_before_exec")]
    return list({id(k): k for k in kept if k is not None}.values())


def release_exceptions(shell: Any) -> None:
    """Drop every hold on the last exceptions.

    ``%reset`` drops none of them, and one that stays keeps all frames with their locals. The
    handler keeps its traceback even after another error has replaced that of ``sys``; a debugger
    keeps the frame it stood in.
    """
    for name in _OF_SYS:
        vars(sys).pop(name, None)
    for handler in (shell.InteractiveTB, shell.SyntaxTB):
        for name in _OF_HANDLERS:
            if getattr(handler, name, None) is not None:
                setattr(handler, name, None)
    debugger: Any = getattr(sys.modules.get("pdb"), "Pdb", None)
    if getattr(debugger, "_last_pdb_instance", None) is not None:
        debugger._last_pdb_instance = None


def _describe(exception: BaseException) -> str:
    # Not str(): that could run code of the user.
    args = BaseException.__dict__["args"].__get__(exception)
    name = type_name(type(exception))
    if args and type(args[0]) is str:
        return plain(f"{name}: {args[0]}", 200)
    return plain(name, 200)
