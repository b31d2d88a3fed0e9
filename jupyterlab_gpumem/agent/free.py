"""Giving memory back, with proof."""

from __future__ import annotations

import gc
import time
from typing import Any, List, NamedTuple, Optional

from ..wire import AgentFreeReport, Dropped, Explanation, Level
from .allocators import Allocators, started_cuda
from .explain import explain_scan
from .flush import flush, reset_peaks
from .holders import invisible_bytes, still_held
from .hooks import hooks_that_refer
from .ledger import Ledger
from .objects import free_objects, preview_objects
from .outcome import explain_outcome
from .reset import reset, with_bytes
from .scan import Scan, scan
from .steps import Steps
from .storages import Storage, count, find_storages

MAX_DROPPED = 200
_RESCAN_LIMIT_S = 2.0


class Request(NamedTuple):
    """What is to be freed; ``ids`` and ``keep`` choose holders for level ``objects``."""

    level: Level
    keep_imports: bool = True
    ids: Optional[List[str]] = None
    keep: Optional[List[str]] = None
    dry_run: bool = False


def free(shell: Any, allocators: Allocators, request: Request) -> AgentFreeReport:
    """Give back what the level allows, and report what went.

    No frame of ours may hold an object of the user, or it would live until we have returned.
    """
    cleanup = _Cleanup(shell, allocators, request)
    return cleanup.preview() if request.dry_run else cleanup.run()


class _Cleanup:
    def __init__(self, shell: Any, allocators: Allocators, request: Request) -> None:
        self._began = time.perf_counter()
        self._shell = shell
        self._allocators = allocators
        self._request = request
        self._steps = Steps()
        self._ledger = Ledger()
        self._before = allocators.read()

    def preview(self) -> AgentFreeReport:
        """Tell what level ``objects`` would drop."""
        request = self._request
        preview_objects(
            *(self._shell, self._steps, self._ledger), ids=request.ids, keep=request.keep or []
        )
        dropped = self._ledger.dropped(would_be=True)
        held = self._ledger.freeable()
        return self._report(
            dropped, freed=held.gpu_bytes, freed_host=held.host_bytes, alive=None, found=None
        )

    def run(self) -> AgentFreeReport:
        """Free, and look at what is left."""
        request, steps = self._request, self._steps
        if request.level == "reset" and gc.get_freeze_count():
            # First, since nothing finds objects that the user has frozen.
            steps.run("unfreeze_garbage", gc.unfreeze)
        storages: Optional[List[Storage]] = steps.run("find_storages", find_storages)
        dropped: List[Dropped] = []
        if request.level == "reset":
            dropped = reset(self._shell, steps, self._ledger, keep_imports=request.keep_imports)
        found: Optional[Scan] = None
        if request.level == "objects":
            found = free_objects(
                *(self._shell, steps, self._ledger), ids=request.ids, keep=request.keep or []
            )
            dropped = self._ledger.dropped()
        else:
            flush(steps)
            found = self._look_again()
        if request.level == "reset" and started_cuda() is not None:
            steps.run("reset_peaks", reset_peaks)
        if request.level == "reset":
            dropped = with_bytes(dropped, self._ledger)
        # Without PyTorch nothing is known, which is not nothing.
        gone = count(storages, alive=False) if storages is not None else None
        alive = count(storages, alive=True) if storages is not None else None
        return self._report(
            dropped,
            freed=gone.gpu_bytes if gone else None,
            freed_host=gone.host_bytes if gone else None,
            alive=alive.gpu_bytes if alive else None,
            found=found,
        )

    def _look_again(self) -> Optional[Scan]:
        if self._request.level == "cache" and started_cuda() is None:
            return None
        look = lambda: scan(self._shell, limit_s=_RESCAN_LIMIT_S)  # noqa: E731  one step
        return self._steps.run("find_still_held", look)

    def _report(
        self,
        dropped: List[Dropped],
        *,
        freed: Optional[int],
        freed_host: Optional[int],
        alive: Optional[int],
        found: Optional[Scan],
    ) -> AgentFreeReport:
        after = self._before if self._request.dry_run else self._allocators.read()
        names = [d["path"] for d in dropped if d["root"] == "variable"]
        told: List[Explanation] = [
            *explain_outcome(dropped, self._steps.done, found, after),
            *hooks_that_refer(self._shell, names),
            *(explain_scan(found, after) if found is not None else []),
        ]
        return {
            "before": self._before,
            "after": after,
            "freed_bytes": freed,
            "freed_host_bytes": freed_host,
            "still_held_bytes": alive,
            "still_held": still_held(found),
            "invisible_bytes": invisible_bytes(found, after),
            "dropped": dropped[:MAX_DROPPED],
            "dropped_count": len(dropped),
            "explanations": told[:32],
            "steps": self._steps.done,
            "duration_ms": int((time.perf_counter() - self._began) * 1000),
        }
