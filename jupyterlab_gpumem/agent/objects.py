"""Level ``objects``: drop what leads to GPU memory, and nothing else."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from .exceptions import release_exceptions
from .flush import collect_garbage
from .ledger import Ledger, Picked, pick
from .namespace import release_debugger, release_names, release_script_names, release_store
from .outputs import release_named_outputs
from .scan import scan
from .steps import Steps

_MAX_ROUNDS = 3


def free_objects(
    shell: Any, steps: Steps, ledger: Ledger, *, ids: Optional[List[str]], keep: List[str]
) -> None:
    """Drop the chosen holders, and again what only then shows, until nothing more comes free."""
    for _ in range(_MAX_ROUNDS):
        picked = steps.run("find_holders", lambda: _pick(shell, ledger, ids=ids, keep=keep))
        if not picked:
            return
        _release(shell, steps, picked)
        steps.run("collect_garbage", collect_garbage)


def preview_objects(
    shell: Any, steps: Steps, ledger: Ledger, *, ids: Optional[List[str]], keep: List[str]
) -> None:
    """Write down what would go, and change nothing."""
    steps.run("find_holders", lambda: _pick(shell, ledger, ids=ids, keep=keep))


def _pick(shell: Any, ledger: Ledger, *, ids: Optional[List[str]], keep: List[str]) -> List[Picked]:
    # All that the scan holds ends with this function, before anything is freed.
    found = scan(shell)
    if found is None:
        return []
    picked = pick(found, ids=ids, keep=keep)
    ledger.learn(found, picked)
    return picked


def _release(shell: Any, steps: Steps, picked: List[Picked]) -> None:
    by_kind: Dict[str, List[Picked]] = {}
    for one in picked:
        by_kind.setdefault(one.kind, []).append(one)
    for kind, (step, release) in _RELEASES.items():
        if kind in by_kind:
            steps.run(step, lambda release=release, kind=kind: release(shell, by_kind[kind]))  # type: ignore[misc]  # the defaults are the values


def _clear_caches(_: Any, picked: List[Picked]) -> None:
    for one in picked:
        cached = one.cache()
        if cached is not None:
            cached.cache_clear()


_RELEASES: Dict[str, Any] = {
    # First: their frames can hold all of the rest.
    "exception": ("release_exceptions", lambda shell, _: release_exceptions(shell)),
    "function_cache": ("clear_function_caches", _clear_caches),
    "variable": (
        "release_variables",
        lambda shell, picked: release_names(shell, [p.name for p in picked]),
    ),
    "output": (
        "release_outputs",
        lambda shell, picked: release_named_outputs(shell, [p.name for p in picked]),
    ),
    "script": (
        "release_script_names",
        lambda shell, picked: release_script_names(shell, [p.name for p in picked]),
    ),
    "store": ("release_store", lambda shell, _: release_store(shell)),
    "debugger": ("release_debugger", lambda shell, _: release_debugger(shell)),
}
