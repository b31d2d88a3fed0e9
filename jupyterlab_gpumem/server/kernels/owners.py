"""Which process belongs to which kernel.

Starts from the few processes that hold device memory and climbs their parents, since a kernel's
process may be a wrapper (``conda run``, a shell) and its data-loader workers are children.
Measured: 0.6 ms a process when first seen, 13 µs from then on, whatever else runs on the machine;
looking down from each kernel costs 50 ms with a thousand processes.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ...wire import ProcessRelation

CLIMB_LIMIT = 32
"""How many parents to climb at most: a bound against a loop in what the system says."""
SERVER_VARIABLE = "JPY_PARENT_PID"
"""What a kernel and all that it starts have in their environment: the server's process id."""


@dataclass(frozen=True)
class Owner:
    """What is known of a process.

    The kernel it belongs to, and its name if it is the user's own.
    """

    kernel_id: str | None = None
    name: str | None = None
    relation: ProcessRelation = "other"


@dataclass(frozen=True)
class _Known:
    started: float
    ancestors: tuple[int, ...]
    name: str | None
    server_pid: int | None
    had_kernel: bool = False

    @property
    def is_left_behind(self) -> bool:
        """Whether a kernel started it that has ended, of this server or of one before it."""
        if self.had_kernel:
            return True
        if self.server_pid is None:
            return False
        # A server that is process 1 of its container inherits what its kernels leave behind.
        inherited = self.server_pid == os.getpid() and self.ancestors[:1] == (self.server_pid,)
        return inherited or self.server_pid not in self.ancestors


UNKNOWN = Owner()


class Owners:
    """Resolve process ids to kernels, remembering each process until it has ended.

    Reads ``/proc``, so it belongs in a worker thread; one call at a time.
    """

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}

    def resolve(
        self,
        pids: Iterable[int],
        kernels: Mapping[int, str],
        *,
        interpreters: Mapping[str, int] | None = None,
    ) -> dict[int, Owner]:
        """Return the owner of each process.

        ``kernels`` maps the processes that the server started to kernel ids. ``interpreters`` says
        which process a kernel itself claims to be: the server may have started a wrapper.
        """
        wanted = set(pids)
        self._known = {pid: known for pid in wanted if (known := self._look_up(pid)) is not None}
        return {pid: self._owner(pid, kernels, interpreters or {}) for pid in wanted}

    def _owner(
        self, pid: int, kernels: Mapping[int, str], interpreters: Mapping[str, int]
    ) -> Owner:
        known = self._known.get(pid)
        if known is None:
            return UNKNOWN
        owner = next((a for a in (pid, *known.ancestors) if a in kernels), None)
        if owner is None:
            return Owner(None, known.name, "orphan" if known.is_left_behind else "other")
        self._known[pid] = replace(known, had_kernel=True)
        kernel_id = kernels[owner]
        is_kernel = pid in (owner, interpreters.get(kernel_id))
        return Owner(kernel_id, known.name, "kernel" if is_kernel else "child")

    def _look_up(self, pid: int) -> _Known | None:
        try:
            started = _start_of(pid)
            known = self._known.get(pid)
            # The system gives the number of an ended process to another one.
            if known is not None and known.started == started:
                return known
            process = psutil.Process(pid)
            own = _is_own(process)
            return _Known(
                started,
                _ancestors(process),
                process.name() if own else None,
                _server_of(process) if own else None,
            )
        except psutil.Error:
            return None


def _start_of(pid: int) -> float:
    """Return when a process began, in whichever unit; raises :class:`psutil.NoSuchProcess`.

    13 µs by the file itself, 230 by psutil, which asks for more.
    """
    if not sys.platform.startswith("linux"):
        return psutil.Process(pid).create_time()
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name before may have spaces and parentheses.
            return float(file.read().rpartition(b")")[2].split()[19])
    except (OSError, IndexError):
        raise psutil.NoSuchProcess(pid) from None


def _ancestors(process: psutil.Process) -> tuple[int, ...]:
    ancestors: list[int] = []
    parent = process.parent()
    while parent is not None and len(ancestors) < CLIMB_LIMIT:
        ancestors.append(parent.pid)
        parent = parent.parent()
    return tuple(ancestors)


def _is_own(process: psutil.Process) -> bool:
    """Tell whether a process is the user's: name and environment of others are none of ours."""
    return not hasattr(os, "getuid") or process.uids().real == os.getuid()


def _server_of(process: psutil.Process) -> int | None:
    # Not only where access is denied: a process that is about to end has none any more.
    with suppress(ValueError, KeyError, psutil.Error):
        return int(process.environ()[SERVER_VARIABLE])
    return None
