"""Level ``reset``: everything that the user made."""

from __future__ import annotations

import sys
from typing import Any, Dict, List

from ..wire import Dropped, Root
from .caches import clear_function_caches, library_caches
from .exceptions import release_exceptions, stored_exceptions
from .imports import Import, find_imports, restore_imports
from .ledger import Ledger, Picked
from .namespace import (
    release_debugger,
    release_store,
    reset_namespace,
    restore_aliases,
    user_aliases,
    user_variables,
)
from .outputs import release_last_result, release_outputs, stored_outputs
from .scan import scan
from .shown import close_figures, close_widgets, live_widgets, open_figures
from .steps import Steps

_DROPPED_TOO = ("figure", "widget")


def reset(shell: Any, steps: Steps, ledger: Ledger, *, keep_imports: bool) -> List[Dropped]:
    """Drop what the user made, and return it with the bytes that it held."""
    last_result = shell.last_execution_result
    aliases = steps.run("find_aliases", lambda: user_aliases(shell)) or []
    imports: Dict[str, Import] = {}
    if keep_imports:
        imports = steps.run("find_imports", lambda: find_imports(shell)) or {}
    steps.run("find_holders", lambda: _learn(shell, ledger))
    listed = steps.run("list_dropped", lambda: _list_dropped(shell, imports)) or []

    # First: their frames hold the user's objects past every reset of the namespace.
    steps.run("release_exceptions", lambda: release_exceptions(shell))
    steps.run("reset_namespace", lambda: reset_namespace(shell))
    steps.run("release_outputs", lambda: release_outputs(shell))
    steps.run("release_last_result", lambda: release_last_result(shell, last_result))
    steps.run("release_store", lambda: release_store(shell))
    steps.run("release_debugger", lambda: release_debugger(shell))
    steps.run("restore_imports", lambda: restore_imports(shell, imports))
    steps.run("restore_aliases", lambda: restore_aliases(shell, aliases))
    _release_libraries(steps)
    # Closing figures and widgets, or a finalizer, can have raised once more.
    steps.run("release_exceptions_again", lambda: release_exceptions(shell))
    return listed


def _release_libraries(steps: Steps) -> None:
    if "matplotlib.pyplot" in sys.modules:
        steps.run("close_figures", close_figures)
    if "ipywidgets.widgets.widget" in sys.modules:
        steps.run("close_widgets", close_widgets)
    for name, clear in library_caches().items():
        steps.run(name, clear)
    steps.run("clear_function_caches", clear_function_caches)


def with_bytes(listed: List[Dropped], ledger: Ledger) -> List[Dropped]:
    """Return what was dropped with the bytes that came free by it, most first."""
    sizes = {(d["root"], d["path"]): d["bytes"] for d in ledger.dropped() if d["bytes"]}
    merged: List[Dropped] = []
    for entry in listed:
        # The exception is one holder, whatever it is called.
        name = "last exception" if entry["root"] == "exception" else entry["path"]
        size = sizes.pop((entry["root"], name), 0)
        merged.append({"root": entry["root"], "path": entry["path"], "bytes": size})
    merged += [{"root": root, "path": path, "bytes": b} for (root, path), b in sizes.items()]
    return sorted(merged, key=lambda entry: -(entry["bytes"] or 0))


def _learn(shell: Any, ledger: Ledger) -> None:
    # All that the scan holds ends with this function, before anything is freed.
    found = scan(shell)
    if found is None:
        return
    ledger.learn(
        found,
        [
            Picked(root.id, root.kind, root.path, None)
            for root in found.attribution.roots
            if root.deletable or root.kind in _DROPPED_TOO
        ],
    )


def _list_dropped(shell: Any, imports: Dict[str, Import]) -> List[Dropped]:
    found: Dict[Root, List[str]] = {
        "variable": user_variables(shell, imports),
        "output": stored_outputs(shell),
        "exception": stored_exceptions(shell),
        "figure": open_figures(),
        "widget": live_widgets(),
    }
    return [
        {"root": root, "path": path, "bytes": 0} for root, paths in found.items() for path in paths
    ]
