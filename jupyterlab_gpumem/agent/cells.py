"""What runs in the kernel, and a push of the figures for it."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
import types
from typing import Any, Callable, Dict, List, Optional

from ..wire import WIRE_VERSION, AgentCell, Allocator, Push
from .allocators import Allocators, records_history
from .changes import Figures, differs
from .channel import Channel
from .libraries import read_libraries
from .records import Record, Ring, cell_id_of
from .running import runs_cell
from .sampler import Sampler
from .settings import backend, expandable_segments

_OURS = ("_jupyterlab_gpumem.agent.cells", "jupyterlab_gpumem.agent.cells")


class _Running:
    """The cell of one thread, with those that it starts itself (``run_cell`` in a cell)."""

    def __init__(self, parent: Dict[str, Any], record: Record) -> None:
        self.parent = parent
        self.record = record
        self.depth = 1
        self.was_disturbed = False


def _quiet(hook: Callable[..., None]) -> Callable[..., None]:
    """Turn a failure into a lost message, since a cell must not show our traceback."""

    @functools.wraps(hook)
    def call(*args: Any) -> None:
        with contextlib.suppress(Exception):
            hook(*args)

    return call


class Cells:
    """Count and record cells, and push the figures after each and while one runs.

    IPython calls the two hooks for the user's cells alone, never for silent requests.
    """

    def __init__(self, shell: Any, channel: Channel, allocators: Allocators) -> None:
        self.count = 0
        self._events = shell.events
        self._channel = channel
        self._allocators = allocators
        # By thread: ipykernel 7 also runs cells in subshells.
        self._running: Dict[int, _Running] = {}
        self._latest: Optional[Record] = None
        self._ring = Ring()
        self._pushed: Figures = (None, [])
        # Held while a push goes out: "still running" must not overtake "has ended".
        self._order = threading.Lock()
        self._sampler = Sampler(self._sample)

    @property
    def is_running(self) -> bool:
        """Whether a cell runs, or waits in ``await``."""
        return bool(self._running)

    def attach(self) -> None:
        """Register the hooks in place of those of an earlier version."""
        for callback in list(self._events.callbacks["pre_run_cell"]):
            _detach_if_ours(callback)
        main = threading.main_thread()
        if threading.current_thread() is not main and runs_cell(main.ident or 0):
            # Asked beside a cell: it is the first whose end we see.
            self._begin(main.ident or 0)
            running = self._running[main.ident or 0]
            self._channel.say_busy(running.parent)
            # Again later, when the kernel has said that it is idle.
            running.was_disturbed = True
        self._events.register("pre_run_cell", self._began)
        self._events.register("post_run_cell", self._ended)

    def detach(self) -> None:
        """Take the hooks back and end the thread."""
        self._sampler.stop()
        for event, hook in (("pre_run_cell", self._began), ("post_run_cell", self._ended)):
            if hook in self._events.callbacks[event]:
                self._events.unregister(event, hook)

    def figures(self, *, with_cells: bool = False) -> Push:
        """Return the figures of this moment, and if wanted what the last cells did."""
        cells = self._ring.all() if with_cells else []
        return self._push_of(self._read(), cells)

    @_quiet
    def _began(self, *_: Any) -> None:
        self._begin(threading.get_ident())

    def _begin(self, thread: int) -> None:
        parent = self._channel.current_request()
        with self._order:
            self.count += 1
            running = self._running.get(thread)
            # Another request on the same thread: the end of the last cell was lost.
            if running is None or _request_id(running.parent) != _request_id(parent):
                before, _ = self._read()
                self._latest = Record(self.count, cell_id_of(parent), before)
                self._running[thread] = _Running(parent, self._latest)
            else:
                running.depth += 1
        self._sampler.cell_began()

    @_quiet
    def _ended(self, *results: Any) -> None:
        me = threading.get_ident()
        with self._order:
            running = self._running.get(me)
            if running is None:
                return
            running.depth -= 1
            if running.depth > 0:
                return
            del self._running[me]
            if not self._running:
                self._sampler.cell_ended()
            figures = self._read()
            cell = running.record.end(figures[0], results[0] if results else None)
            self._ring.add(cell)
            self._send(figures, running.parent, [cell])

    @_quiet
    def _sample(self) -> None:
        with self._order:
            running = next(iter(self._running.values()), None)
            if running is None:
                return
            if running.was_disturbed:
                self._channel.say_busy(running.parent)
                running.was_disturbed = False
            if records_history():
                return
            figures = self._read()
            if differs(self._pushed, figures):
                self._send(figures, running.parent, [])

    def _read(self) -> Figures:
        if records_history() and threading.current_thread() is not threading.main_thread():
            return self._pushed
        allocators = self._allocators.read()
        for record in [running.record for running in self._running.values()]:
            record.look(allocators)
        if self._latest is not None:
            self._latest.look(allocators)
        return allocators, read_libraries()

    def _send(self, figures: Figures, parent: Dict[str, Any], cells: List[AgentCell]) -> None:
        self._pushed = figures
        self._channel.push(self._push_of(figures, cells), parent)

    def _push_of(self, figures: Figures, cells: List[AgentCell]) -> Push:
        allocators: Optional[List[Allocator]] = figures[0]
        return {
            "wire_version": WIRE_VERSION,
            "kind": "figures",
            "pid": os.getpid(),
            "cell": self.count,
            "running": self.is_running,
            "allocators": allocators,
            "backend": backend(),
            "expandable_segments": expandable_segments(),
            "libraries": figures[1],
            "cells": cells,
        }


def _request_id(request: Dict[str, Any]) -> Any:
    return request.get("header", {}).get("msg_id")


def _detach_if_ours(callback: Any) -> None:
    # Found by type: the user may have emptied sys.modules of the version that registered it.
    if type(callback) is not types.MethodType:
        return
    owner: Any = callback.__self__
    if type.__dict__["__module__"].__get__(type(owner)) in _OURS:
        owner.detach()
