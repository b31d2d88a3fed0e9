"""Giving memory back, with proof."""

from __future__ import annotations

import gc
import sys
import time
from typing import Any, Dict, List

from ..wire import AgentFreeReport, Dropped, Level, Root
from .allocators import Allocators, started_cuda
from .caches import clear_function_caches, library_caches
from .exceptions import release_exceptions, stored_exceptions
from .flush import flush, reset_peaks
from .imports import Import, find_imports, restore_imports
from .namespace import (
    release_debugger,
    release_store,
    reset_namespace,
    restore_aliases,
    user_aliases,
    user_variables,
)
from .outputs import release_last_result, release_outputs, stored_outputs
from .shown import close_figures, close_widgets, live_widgets, open_figures
from .steps import Steps
from .storages import count, find_storages

MAX_DROPPED = 200


def free(
    shell: Any, allocators: Allocators, *, level: Level, keep_imports: bool
) -> AgentFreeReport:
    """Give back what ``level`` allows, and report what went.

    No frame of ours may hold an object of the user, or it would live until we have returned.
    """
    began = time.perf_counter()
    steps = Steps()
    before = allocators.read()
    if level == "reset" and gc.get_freeze_count():
        # First, since nothing finds objects that the user has frozen.
        steps.run("unfreeze_garbage", gc.unfreeze)
    storages = steps.run("find_storages", find_storages)
    dropped: List[Dropped] = []
    if level == "reset":
        dropped = _reset(shell, steps, keep_imports=keep_imports)
    flush(steps)
    if level == "reset" and started_cuda() is not None:
        steps.run("reset_peaks", reset_peaks)
    # Without PyTorch nothing is known, which is not nothing.
    gone = count(storages, alive=False) if storages is not None else None
    alive = count(storages, alive=True) if storages is not None else None
    return {
        "before": before,
        "after": allocators.read(),
        "freed_bytes": gone.gpu_bytes if gone else None,
        "freed_host_bytes": gone.host_bytes if gone else None,
        "still_held_bytes": alive.gpu_bytes if alive else None,
        "still_held": [],
        "invisible_bytes": None,
        "dropped": dropped[:MAX_DROPPED],
        "dropped_count": len(dropped),
        "explanations": [],
        "steps": steps.done,
        "duration_ms": int((time.perf_counter() - began) * 1000),
    }


def _reset(shell: Any, steps: Steps, *, keep_imports: bool) -> List[Dropped]:
    last_result = shell.last_execution_result
    aliases = steps.run("find_aliases", lambda: user_aliases(shell)) or []
    imports: Dict[str, Import] = {}
    if keep_imports:
        imports = steps.run("find_imports", lambda: find_imports(shell)) or {}
    dropped = steps.run("list_dropped", lambda: _list_dropped(shell, imports)) or []

    # First: their frames hold the user's objects past every reset of the namespace.
    steps.run("release_exceptions", lambda: release_exceptions(shell))
    steps.run("reset_namespace", lambda: reset_namespace(shell))
    steps.run("release_outputs", lambda: release_outputs(shell))
    steps.run("release_last_result", lambda: release_last_result(shell, last_result))
    steps.run("release_store", lambda: release_store(shell))
    steps.run("release_debugger", lambda: release_debugger(shell))
    steps.run("restore_imports", lambda: restore_imports(shell, imports))
    steps.run("restore_aliases", lambda: restore_aliases(shell, aliases))
    if "matplotlib.pyplot" in sys.modules:
        steps.run("close_figures", close_figures)
    if "ipywidgets.widgets.widget" in sys.modules:
        steps.run("close_widgets", close_widgets)
    for name, clear in library_caches().items():
        steps.run(name, clear)
    steps.run("clear_function_caches", clear_function_caches)
    # Closing figures and widgets, or a finalizer, can have raised once more.
    steps.run("release_exceptions_again", lambda: release_exceptions(shell))
    return dropped


def _list_dropped(shell: Any, imports: Dict[str, Import]) -> List[Dropped]:
    found: Dict[Root, List[str]] = {
        "variable": user_variables(shell, imports),
        "output": stored_outputs(shell),
        "exception": stored_exceptions(shell),
        "figure": open_figures(),
        "widget": live_widgets(),
    }
    return [
        {"root": root, "path": path, "bytes": None}
        for root, paths in found.items()
        for path in paths
    ]
