"""What runs in the kernel, and a push of the figures for it."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
import types
from typing import Any, Callable, Dict, List, Optional

from ..wire import WIRE_VERSION, Allocator, Push
from .allocators import Allocators, records_history
from .channel import Channel
from .sampler import Sampler

RELEVANT_CHANGE = 0.02
_OURS = ("_jupyterlab_gpumem.agent.cells", "jupyterlab_gpumem.agent.cells")


class _Running:
    """The cell of one thread, with those that it starts itself (``run_cell`` in a cell)."""

    def __init__(self, parent: Dict[str, Any]) -> None:
        self.parent = parent
        self.depth = 1


def _quiet(hook: Callable[..., None]) -> Callable[..., None]:
    """Turn a failure into a lost message, since a cell must not show our traceback."""

    @functools.wraps(hook)
    def call(*args: Any) -> None:
        with contextlib.suppress(Exception):
            hook(*args)

    return call


class Cells:
    """Count cells, and push the figures after each and while one runs.

    IPython calls the two hooks for the user's cells alone, never for silent requests.
    """

    def __init__(self, shell: Any, channel: Channel, allocators: Allocators) -> None:
        self.count = 0
        self._events = shell.events
        self._channel = channel
        self._allocators = allocators
        # By thread: ipykernel 7 also runs cells in subshells.
        self._running: Dict[int, _Running] = {}
        self._pushed: Optional[List[Allocator]] = None
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
        self._events.register("pre_run_cell", self._began)
        self._events.register("post_run_cell", self._ended)

    def detach(self) -> None:
        """Take the hooks back and end the thread."""
        self._sampler.stop()
        for event, hook in (("pre_run_cell", self._began), ("post_run_cell", self._ended)):
            if hook in self._events.callbacks[event]:
                self._events.unregister(event, hook)

    def figures(self) -> Push:
        """Return the figures of this moment."""
        return self._push_of(self._allocators.read())

    @_quiet
    def _began(self, *_: Any) -> None:
        parent = self._channel.current_request()
        me = threading.get_ident()
        with self._order:
            self.count += 1
            running = self._running.get(me)
            # Another request on the same thread: the end of the last cell was lost.
            if running is None or _request_id(running.parent) != _request_id(parent):
                self._running[me] = _Running(parent)
            else:
                running.depth += 1
        self._sampler.cell_began()

    @_quiet
    def _ended(self, *_: Any) -> None:
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
            self._send(self._allocators.read(), running.parent)

    @_quiet
    def _sample(self) -> None:
        if records_history():
            return
        with self._order:
            running = next(iter(self._running.values()), None)
            if running is None:
                return
            allocators = self._allocators.read()
            if differs(self._pushed, allocators):
                self._send(allocators, running.parent)

    def _send(self, allocators: Optional[List[Allocator]], parent: Dict[str, Any]) -> None:
        self._pushed = allocators
        self._channel.push(self._push_of(allocators), parent)

    def _push_of(self, allocators: Optional[List[Allocator]]) -> Push:
        return {
            "wire_version": WIRE_VERSION,
            "kind": "figures",
            "pid": os.getpid(),
            "cell": self.count,
            "running": self.is_running,
            "allocators": allocators,
        }


def differs(old: Optional[List[Allocator]], new: Optional[List[Allocator]]) -> bool:
    """Tell whether ``new`` is worth a message."""
    if old is None or new is None:
        return old is not new
    return len(old) != len(new) or any(map(_device_differs, old, new))


def _device_differs(old: Allocator, new: Allocator) -> bool:
    if old["index"] != new["index"] or old["reserved_bytes"] != new["reserved_bytes"]:
        return True
    before, after = old["allocated_bytes"] or 0, new["allocated_bytes"] or 0
    return abs(after - before) > RELEVANT_CHANGE * before


def _request_id(request: Dict[str, Any]) -> Any:
    return request.get("header", {}).get("msg_id")


def _detach_if_ours(callback: Any) -> None:
    # Found by type: the user may have emptied sys.modules of the version that registered it.
    if type(callback) is not types.MethodType:
        return
    owner: Any = callback.__self__
    if type.__dict__["__module__"].__get__(type(owner)) in _OURS:
        owner.detach()
