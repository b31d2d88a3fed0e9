"""Level ``objects``: drop what leads to GPU memory, and nothing else."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from .exceptions import release_exceptions
from .flush import flush
from .ledger import Ledger, Picked, pick
from .namespace import release_debugger, release_names, release_script_names, release_store
from .outputs import release_named_outputs
from .scan import Scan, scan
from .steps import Steps

_MAX_ROUNDS = 3


def free_objects(
    shell: Any, steps: Steps, ledger: Ledger, *, ids: Optional[List[str]], keep: List[str]
) -> Optional[Scan]:
    """Drop the chosen holders, and again what only then shows; return the last look around."""

    def look() -> Optional[Scan]:
        return scan(shell)

    picked = preview_objects(shell, steps, ledger, ids=ids, keep=keep)
    for _ in range(_MAX_ROUNDS):
        _release(shell, steps, picked)
        flush(steps)
        found = steps.run("find_still_held", look)
        picked = [] if found is None else pick(found, ids=ids, keep=keep)
        if found is None or not picked:
            return found
        ledger.learn(found, picked)
        # All that it holds must go before anything is freed.
        found = None
    return steps.run("find_still_held", look)


def preview_objects(
    shell: Any, steps: Steps, ledger: Ledger, *, ids: Optional[List[str]], keep: List[str]
) -> List[Picked]:
    """Write down what would go, and change nothing."""

    def look() -> List[Picked]:
        # All that the scan holds ends with this function.
        found = scan(shell)
        if found is None:
            return []
        picked = pick(found, ids=ids, keep=keep)
        ledger.learn(found, picked)
        return picked

    return steps.run("find_holders", look) or []


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
