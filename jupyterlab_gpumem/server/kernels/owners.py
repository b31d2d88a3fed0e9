"""Which process belongs to which kernel.

Starts from the few processes that hold device memory and climbs their parents, since a kernel's
process may be a wrapper (``conda run``, a shell) and its data-loader workers are children.
Measured: 0.6 ms a process, whatever else runs on the machine; looking down from each kernel costs
50 ms with a thousand processes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CLIMB_LIMIT = 32
"""How many parents to climb at most: a bound against a loop in what the system says."""


@dataclass(frozen=True)
class Owner:
    """What is known of a process.

    The kernel it belongs to, and its name if it is the user's own.
    """

    kernel_id: str | None = None
    name: str | None = None


@dataclass(frozen=True)
class _Known:
    started: float
    ancestors: tuple[int, ...]
    name: str | None


UNKNOWN = Owner()


class Owners:
    """Resolve process ids to kernels, remembering each process until it has ended.

    Reads ``/proc``, so it belongs in a worker thread; one call at a time.
    """

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}

    def resolve(self, pids: Iterable[int], kernels: Mapping[int, str]) -> dict[int, Owner]:
        """Return the owner of each process.

        ``kernels`` maps process ids of kernels to kernel ids.
        """
        wanted = set(pids)
        self._known = {pid: known for pid in wanted if (known := self._look_up(pid)) is not None}
        return {pid: self._owner(pid, kernels) for pid in wanted}

    def _owner(self, pid: int, kernels: Mapping[int, str]) -> Owner:
        known = self._known.get(pid)
        if known is None:
            return UNKNOWN
        owners = (kernels.get(ancestor) for ancestor in (pid, *known.ancestors))
        return Owner(next((owner for owner in owners if owner is not None), None), known.name)

    def _look_up(self, pid: int) -> _Known | None:
        try:
            process = psutil.Process(pid)
            started = process.create_time()
            known = self._known.get(pid)
            # The system gives the number of an ended process to another one.
            if known is not None and known.started == started:
                return known
            return _Known(started, _ancestors(process), _own_name(process))
        except psutil.Error:
            return None


def _ancestors(process: psutil.Process) -> tuple[int, ...]:
    ancestors: list[int] = []
    parent = process.parent()
    while parent is not None and len(ancestors) < CLIMB_LIMIT:
        ancestors.append(parent.pid)
        parent = parent.parent()
    return tuple(ancestors)


def _own_name(process: psutil.Process) -> str | None:
    """Return the program's name, unless the process is another user's: that is none of ours."""
    if hasattr(os, "getuid") and process.uids().real != os.getuid():
        return None
    return process.name()
