"""Memory that no name leads to: garbage not yet collected, and what only C++ holds."""

from __future__ import annotations

import gc
import sys
import types
from typing import Any, Dict, List, NamedTuple

from .roots import Root
from .search import Search
from .text import plain, type_name

_MAX_TENSORS = 100
_MAX_LEVELS = 20
_MAX_KEEPERS = 5000
_INSIDE = "held inside PyTorch or another library"
_PLAIN = (dict, list, tuple, set, types.CellType, types.FunctionType, types.MethodType)


class _Verdict(NamedTuple):
    is_garbage: bool
    name: str
    is_settled: bool = True


def has_unsettled(roots: List[Root]) -> bool:
    """Tell whether a library may hold what was looked at, so that searching there could help."""
    return any(root.kind == "unknown" and root.path != _INSIDE for root in roots)


def orphan_roots(search: Search, tensors: List[int]) -> List[Root]:
    """Return roots for tensors that no other root leads to, by what keeps them."""
    keepers = _Keepers(search)
    looked_at, rest = tensors[:_MAX_TENSORS], tensors[_MAX_TENSORS:]
    keepers.climb([search.objects[t] for t in looked_at])
    groups: Dict[_Verdict, List[Any]] = {}
    for tensor in looked_at:
        groups.setdefault(keepers.judge(tensor), []).append(search.objects[tensor])
    if rest:
        unnamed = groups.setdefault(_Verdict(False, "", is_settled=False), [])
        unnamed.extend(search.objects[t] for t in rest)
    return [_root(verdict, starts) for verdict, starts in groups.items()]


def _root(verdict: _Verdict, starts: List[Any]) -> Root:
    if verdict.is_garbage:
        return Root("garbage", f"cycle of {verdict.name}", starts, name=verdict.name)
    if verdict.name:
        return Root("unknown", f"held by {verdict.name}", starts, name=verdict.name)
    path = _INSIDE if verdict.is_settled else "held by many objects"
    return Root("unknown", path, starts, name=path)


class _Keepers:
    """What refers to the tensors, as far up as the collector sees."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._parents: Dict[int, List[Any]] = {}
        self._is_whole = True
        ours: List[Any] = [search.objects, search.storage_of, search.__dict__, self._parents]
        # Ids alone: a frame of ours in a list of ours is a cycle that holds all we have met.
        self._ours = {id(o) for o in ours}

    def climb(self, targets: List[Any]) -> None:
        """Go up to what keeps ``targets``, what keeps that, and so on."""
        frame: Any = sys._getframe()
        while frame is not None:
            self._ours.add(id(frame))
            frame = frame.f_back
        own_lists = [targets]
        seen: Dict[int, Any] = {id(t): t for t in targets}
        frontier = targets
        for _ in range(_MAX_LEVELS):
            if not frontier:
                return
            found = gc.get_referrers(*frontier)
            own_lists += [frontier, found]
            skipped = {*self._ours, id(seen), id(own_lists), *map(id, own_lists)}
            skipped.update(map(id, self._parents.values()))
            wanted = {id(f) for f in frontier}
            frontier = []
            for keeper in found:
                if id(keeper) in skipped:
                    continue
                for child in gc.get_referents(keeper):
                    if id(child) in wanted:
                        self._parents.setdefault(id(child), []).append(keeper)
                if id(keeper) not in seen:
                    seen[id(keeper)] = keeper
                    if not self._is_outside(keeper):
                        frontier.append(keeper)
            own_lists.append(frontier)
            if len(seen) > _MAX_KEEPERS:
                break
        self._is_whole = not frontier

    def judge(self, tensor: int) -> _Verdict:
        """Tell what keeps a tensor: a cycle, something that is alive, or nothing we can see."""
        names: List[str] = []
        own: List[str] = []
        seen = {tensor}
        pending = [tensor]
        while pending:
            for keeper in self._parents.get(pending.pop(0), ()):
                if id(keeper) in seen:
                    continue
                if self._is_outside(keeper):
                    return _Verdict(False, self._name_outside(keeper))
                seen.add(id(keeper))
                pending.append(id(keeper))
                if not any(type(keeper) is plain_kind for plain_kind in _PLAIN):
                    names.append(plain(type_name(type(keeper)), 60))
                    if type.__dict__["__module__"].__get__(type(keeper)) == "__main__":
                        own.append(names[-1])
        if len(seen) == 1:
            return _Verdict(False, "")
        if not self._is_whole:
            return _Verdict(False, "", is_settled=False)
        return _Verdict(True, (own or names or ["containers"])[0])

    def _is_outside(self, keeper: Any) -> bool:
        return self._search.is_known(keeper) or issubclass(type(keeper), type)

    def _name_outside(self, keeper: Any) -> str:
        if issubclass(type(keeper), type):
            return f"class {plain(type_name(keeper), 60)}"
        name = keeper.get("__name__") if type(keeper) is dict else None
        return f"module {plain(name, 60)}" if type(name) is str else type_name(type(keeper))
