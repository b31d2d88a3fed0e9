"""The way from names to tensors: a search that remembers every parent."""

from __future__ import annotations

import collections
import gc
import logging
import sys
import time
import types
from typing import Any, Deque, Dict, List, Optional, Set

from .edges import Edges
from .graph import backward_runs
from .kinds import ATOM, CLASS, DICT, SEQUENCE, TENSOR, Kinds
from .roots import Phase, Root
from .storages import STORAGE, Tensors

MAX_OBJECTS = 1_500_000
_PER_ROOT = 60_000
"""Objects after which a root has to wait until the others had their turn."""
_CHECK_EVERY = 2048

Parent = Any  # the id of an object, or a root


class Search:
    """Search from roots, phase after phase; the first parent wins, all are remembered.

    Holds every object that it has met: drop it before anything is freed.
    """

    def __init__(self, tensors: Tensors, shell: Any, *, deadline: float) -> None:
        self.tensors = tensors
        self.kinds = Kinds(tensors)
        self.edges = Edges(tensors, self.kinds, walks_graphs=not backward_runs())
        self.objects: Dict[int, Any] = {}
        self.first: Dict[int, Parent] = {}
        self.others: Dict[int, List[Parent]] = {}
        self.roots: List[Root] = []
        self.storage_of: Dict[int, Optional[int]] = {}
        self.met_tensors: List[int] = []
        self.partial = False
        self._deadline = deadline
        self._queue: Deque[Any] = collections.deque()
        self._deferred: Deque[Deque[Any]] = collections.deque()
        self._blocked: Set[int] = set()
        self._steps = 0
        self._block(shell)

    def note(self, tensor: Any) -> None:
        """Remember a tensor that was found by another way."""
        if id(tensor) not in self.storage_of:
            self.storage_of[id(tensor)] = self.tensors.note(tensor)
            self.objects.setdefault(id(tensor), tensor)

    def run(self, phase: Phase) -> None:
        """Search from the roots of a phase, in their order."""
        for root in phase():
            self.roots.append(root)
            for start in root.starts:
                self._meet(start, root)
            self._drain(_PER_ROOT)
            if self._queue:
                self._deferred.append(self._queue)
                self._queue = collections.deque()

    def finish(self) -> None:
        """Go on where a large root had to wait."""
        while self._deferred:
            self._queue = self._deferred.popleft()
            self._drain(_PER_ROOT)
            if self._queue:
                self._deferred.append(self._queue)
                if self.partial:
                    return

    def is_met(self, tensor_id: int) -> bool:
        """Tell whether a root leads to a tensor."""
        return tensor_id in self.first

    def is_storage(self, tensor_id: int) -> bool:
        """Tell whether what was noted is a bare storage."""
        return self.tensors.kind(type(self.objects[tensor_id])) == STORAGE

    def is_known(self, candidate: Any) -> bool:
        """Tell whether an object was met, or is one of those that are not looked into."""
        return id(candidate) in self.first or id(candidate) in self._blocked

    def parents_of(self, key: int) -> List[Parent]:
        """Return all parents of an object, the first one first."""
        first = self.first.get(key)
        return [] if first is None else [first, *self.others.get(key, ())]

    def _drain(self, limit: int) -> None:
        stop = self._steps + limit
        while self._queue and self._steps < stop and not self.partial:
            parent = self._queue.popleft()
            self._steps += 1
            kind = self.kinds.of(type(parent))
            self._meet_all(self._children(parent, kind), id(parent))

    def _children(self, parent: Any, kind: int) -> Any:
        try:
            return self.edges.children(parent, kind)
        except Exception:  # noqa: BLE001  an object that cannot be read leads nowhere
            return ()

    def _meet_all(self, children: Any, parent: Parent) -> None:
        kinds, of, first, others = self.kinds.table, self.kinds.of, self.first, self.others
        checked = _CHECK_EVERY
        for child in children:
            kind = kinds.get(id(type(child)))
            if kind is None:
                kind = of(type(child))
            if kind != ATOM:
                if id(child) not in first:
                    self._meet(child, parent, kind)
                elif id(child) in others:
                    others[id(child)].append(parent)
                else:
                    others[id(child)] = [parent]
            checked -= 1
            if not checked:
                checked = _CHECK_EVERY
                self._check_limits()
                if self.partial:
                    return
        if not self._steps % 64:
            self._check_limits()

    def _meet(self, child: Any, parent: Parent, kind: Optional[int] = None) -> None:
        if kind is None:
            kind = self.kinds.of(type(child))
            if kind == ATOM:
                return
        key = id(child)
        if key in self._blocked:
            return
        if key in self.first:
            self.others.setdefault(key, []).append(parent)
            return
        # A dictionary or tuple that the collector does not track has nothing to lead to.
        if kind in (DICT, SEQUENCE) and not gc.is_tracked(child):
            return
        if kind == CLASS and not isinstance(parent, Root) and not self.kinds.follows(child):
            return
        self.first[key] = parent
        self.objects[key] = child
        self._queue.append(child)
        if kind == TENSOR:
            self.met_tensors.append(key)
            self.note(child)

    def _check_limits(self) -> None:
        if time.perf_counter() > self._deadline or len(self.objects) > MAX_OBJECTS:
            self.partial = True

    def _block(self, shell: Any) -> None:
        blocked: List[Any] = [
            *(shell, shell.kernel, shell.user_ns, shell.user_ns_hidden, shell.history_manager),
            *(shell.displayhook, shell.display_formatter, shell.magics_manager, shell.events),
            *(self, sys.modules, shell.history_manager.output_hist, shell.last_execution_result),
            *(self.__dict__, self.objects, self.first, self.others, self.storage_of, self.roots),
        ]
        # A logger leads to every other, and the loop to all that waits; their handlers and tasks
        # are roots.
        manager = logging.root.manager
        blocked += [logging.root, manager, manager.loggerDict, *manager.loggerDict.values()]
        loop = getattr(shell.kernel, "io_loop", None)
        blocked += [loop, getattr(loop, "asyncio_loop", None)]
        modules = [*list(sys.modules.values()), *getattr(shell, "_main_mod_cache", {}).values()]
        for module in modules:
            if issubclass(type(module), types.ModuleType):
                blocked += [module, types.ModuleType.__getattribute__(module, "__dict__")]
        # Ids alone: holding ourselves would make a cycle that lives until the next collection.
        self._blocked = {id(b) for b in blocked if b is not None}
