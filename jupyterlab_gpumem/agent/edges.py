"""What an object refers to, as far as it can lead to a tensor."""

from __future__ import annotations

import gc
import types
from typing import Any, Dict, Iterable, List

from .frames import values_of
from .graph import Graph
from .kinds import (
    ATOM,
    CACHE,
    CLASS,
    DICT,
    FRAME,
    FUNCTION,
    MODULE,
    NODE,
    SEQUENCE,
    TENSOR,
    Kinds,
    names_of,
)
from .storages import Tensors

_MANY = 64
_PLAIN_LEVELS = 5
_MAX_ITEMS = 10_000_000


class Edges:
    """Return the children of an object by its kind; asks foreign objects nothing.

    ``gradients`` and ``saved`` collect the ids of tensors that were met as such; their objects are
    kept by whoever searches.
    """

    def __init__(self, tensors: Tensors, kinds: Kinds, *, walks_graphs: bool) -> None:
        self.gradients: Dict[int, bool] = {}
        self.saved: Dict[int, bool] = {}
        self._tensors = tensors
        self._kinds = kinds
        self._graph = Graph(tensors.torch, lambda _: None)
        self._walks_graphs = walks_graphs

    def children(self, parent: Any, kind: int) -> Iterable[Any]:
        """Return the children of an object of a kind."""
        if kind == DICT:
            return self._of_dict(parent)
        if kind == SEQUENCE:
            return () if self._leads_nowhere(parent) else parent
        if kind == TENSOR:
            return self._of_tensor(parent)
        if kind == NODE:
            return self._of_node(parent)
        if kind == FRAME:
            return values_of(parent, gc.get_referents(parent))
        if kind == FUNCTION:
            return self._of_function(parent)
        if kind == CLASS:
            return [*names_of(parent).values(), *type.__dict__["__bases__"].__get__(parent)]
        if kind == MODULE:
            return [types.ModuleType.__getattribute__(parent, "__dict__")]
        if kind == CACHE:
            return function_of(parent)
        return gc.get_referents(parent)

    def _leads_nowhere(self, items: List[Any]) -> bool:
        """Tell whether many items are plain data, a few levels deep, at the speed of C.

        Records, tables and tokens are most of what is in a notebook, and hold no tensor.
        """
        if len(items) < _MANY:
            return False
        of = self._kinds.of
        for _ in range(_PLAIN_LEVELS):
            kinds = {key: of(kind) for key, kind in {id(t): t for t in map(type, items)}.items()}
            if any(kind not in (ATOM, DICT, SEQUENCE) for kind in kinds.values()):
                return False
            boxes = {key for key, kind in kinds.items() if kind != ATOM}
            if not boxes or len(items) > _MAX_ITEMS:
                return not boxes
            items = gc.get_referents(*[item for item in items if id(type(item)) in boxes])
        return False

    def _of_dict(self, parent: Any) -> List[Any]:
        of = self._kinds.of
        values = list(dict.values(parent))
        if self._leads_nowhere(values):
            values = []
        return [*values, *(key for key in dict.keys(parent) if of(type(key)) != ATOM)]

    def _of_tensor(self, parent: Any) -> List[Any]:
        children = gc.get_referents(parent)
        gradient = self._tensors.gradient_of(parent)
        if gradient is not None:
            self.gradients[id(gradient)] = True
            children.append(gradient)
        node = self._tensors.node_of(parent)
        if node is not None:
            children.append(node)
        return children

    def _of_node(self, parent: Any) -> List[Any]:
        if not self._walks_graphs:
            return []
        children = self._graph.next_of(parent)
        for tensor in self._graph.saved_by(parent):
            self.saved[id(tensor)] = True
            children.append(tensor)
        # A node written in Python has what its author has put on it.
        children.extend(gc.get_referents(parent))
        return children

    def _of_function(self, parent: Any) -> List[Any]:
        # The globals are a module's, or a dictionary that lives by this function alone.
        parts = (parent.__closure__, parent.__defaults__, parent.__kwdefaults__)
        return [p for p in (*parts, parent.__dict__, parent.__globals__) if p]


def function_of(cache: Any) -> List[Any]:
    """Return the function behind an ``lru_cache``, which emptying the cache leaves in place."""
    wrapped = vars(cache).get("__wrapped__")
    return [vars(cache)] if wrapped is None else [wrapped]


def cached_by(cache: Any) -> List[Any]:
    """Return what an ``lru_cache`` keeps: its keys and results."""
    known = {id(vars(cache)), id(vars(cache).get("__wrapped__"))}
    return [r for r in gc.get_referents(cache) if id(r) not in known and not _is_class(r)]


def _is_class(candidate: Any) -> bool:
    return issubclass(type(candidate), type)
