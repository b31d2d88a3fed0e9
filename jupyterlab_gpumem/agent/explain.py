"""What stands out, as codes that the page puts into sentences."""

from __future__ import annotations

import sys
from typing import Any, Dict, List, Optional, Tuple

from ..wire import Allocator, Explanation, ExplanationCode
from .attribution import Attribution
from .kinds import NODE
from .roots import Root
from .scan import Scan

MIB = 1 << 20
_NOTABLE = 64 * MIB
_MAX_OF_KIND = 3
_MAX = 32
# Kinds of holders that say by themselves what is the matter.
_OF_ROOT: Dict[str, ExplanationCode] = {
    "exception": "exception",
    "function_cache": "function_cache",
    "module": "module",
    "thread": "thread",
    "task": "thread",
    "hook": "hook",
    "garbage": "garbage",
}


def explanation(
    code: ExplanationCode,
    path: Optional[str] = None,
    *,
    other: Optional[str] = None,
    size: Optional[int] = None,
    count: Optional[int] = None,
) -> Explanation:
    """Make an explanation."""
    return {
        "code": code,
        "path": None if path is None else path[:200],
        "other": None if other is None else other[:200],
        "bytes": size,
        "count": count,
    }


def explain_scan(found: Optional[Scan], figures: Optional[List[Allocator]]) -> List[Explanation]:
    """Explain what a scan and the allocator show, by size."""
    told: List[Explanation] = []
    if found is not None:
        judge = _Judge(found)
        told += [*judge.of_roots(), *judge.outputs(), *judge.second_names(), *judge.views()]
    told += [*_of_allocator(figures), *_workers()]
    told.sort(key=lambda e: -(e["bytes"] or 0))
    return told[:_MAX]


class _Judge:
    def __init__(self, found: Scan) -> None:
        self._found = found
        self._attribution: Attribution = found.attribution
        self._torch = found.tensors.torch
        # The storages that each root leads to, and those that nothing else leads to.
        self._of: Dict[Root, List[int]] = {root: [] for root in self._attribution.roots}
        for share, keys in self._attribution.shares().items():
            for root in self._attribution.roots_in(share.mask):
                self._of[root].extend(keys)

    def of_roots(self) -> List[Explanation]:
        """Explain each holder by what it is."""
        told: List[Explanation] = []
        count: Dict[str, int] = {}
        for root, keys in sorted(self._of.items(), key=lambda item: -self._total(item[1])):
            found = self._of_root(root, keys)
            if found is not None and count.get(found["code"], 0) < _MAX_OF_KIND:
                count[found["code"]] = count.get(found["code"], 0) + 1
                told.append(found)
        return told

    def _of_root(self, root: Root, keys: List[int]) -> Optional[Explanation]:
        size = self._total(keys)
        code = _OF_ROOT.get(root.kind)
        if code is not None:
            return explanation(code, self._longest(root, keys), size=size)
        if root.kind not in ("variable", "output"):
            return None
        path = self._longest(root, keys)
        if "→ suspended " in path:
            return explanation("suspended", path, size=size)
        if self._is_optimizer(root):
            own = [k for k in keys if self._attribution.categories[k] == "parameter"]
            own = [k for k in own if self._is_only(root, k)]
            return explanation("optimizer", root.path, size=size) if own else None
        saved = [k for k in keys if self._attribution.categories[k] == "graph"]
        return self._of_graph(root, saved) if saved else None

    def _of_graph(self, root: Root, saved: List[int]) -> Optional[Explanation]:
        value = root.starts[0]
        tensors = self._found.tensors
        if type(value) is list or type(value) is tuple or type(value) is dict:
            items = list(value.values()) if type(value) is dict else value
            results = [i for i in items if tensors.is_tensor(i) and tensors.node_of(i) is not None]
            if not results:
                return None
            size = self._total(saved)
            return explanation("graph_kept", root.path, size=size, count=len(results))
        if not tensors.is_tensor(value):
            return None
        size = self._total(saved)
        if tensors.shape_of(value):
            return explanation("graph_on_output", root.path, size=size)
        return explanation("graph_kept", root.path, size=size, count=1)

    def outputs(self) -> List[Explanation]:
        """Explain what the stored outputs keep, all together."""
        roots = [root for root in self._of if root.kind == "output"]
        keys = {key for root in roots for key in self._of[root]}
        if not keys:
            return []
        return [explanation("outputs", roots[0].path, size=self._total(keys), count=len(roots))]

    def second_names(self) -> List[Explanation]:
        """Explain which variables are names of the same memory: deleting one frees nothing."""
        pairs: Dict[Tuple[Root, Root], int] = {}
        for share, keys in self._attribution.shares().items():
            roots = list(self._attribution.roots_in(share.mask))
            named = [r for r in roots if r.kind == "variable" and not self._is_optimizer(r)]
            named = [r for r in named if not self._leads_by_graph(r, keys[0])]
            if len(named) > 1:
                pair = (named[0], named[1])
                pairs[pair] = pairs.get(pair, 0) + self._total(keys)
        ranked = sorted(pairs.items(), key=lambda item: -item[1])[:_MAX_OF_KIND]
        return [
            explanation("second_name", one.path, other=other.path, size=size)
            for (one, other), size in ranked
        ]

    def _leads_by_graph(self, root: Root, key: int) -> bool:
        way = self._attribution.way(root, key)
        return any(self._found.kinds.of(type(step)) == NODE for step in way)

    def views(self) -> List[Explanation]:
        """Explain which small views keep a large storage whole."""
        told: List[Explanation] = []
        for key, storage in self._attribution.storages.items():
            if storage.nbytes < MIB or len(told) >= _MAX_OF_KIND:
                continue
            shown = max(self._found.tensors.size_of(t) for t in self._attribution.objects(key))
            root = self._attribution.first_root(key)
            if root is not None and 0 < shown * 4 <= storage.nbytes:
                path = self._found.path_to(root, key)
                told.append(explanation("view", path, size=storage.nbytes - shown))
        return told

    def _longest(self, root: Root, keys: List[int]) -> str:
        largest = max(keys, key=lambda key: self._attribution.storages[key].nbytes)
        return self._found.path_to(root, largest)

    def _is_optimizer(self, root: Root) -> bool:
        optimizer: Any = getattr(sys.modules.get("torch.optim"), "Optimizer", ())
        return issubclass(type(root.starts[0]), optimizer)

    def _is_only(self, root: Root, key: int) -> bool:
        return list(self._attribution.roots_in(self._attribution.masks[key])) == [root]

    def _total(self, keys: Any) -> int:
        return sum(self._attribution.storages[key].nbytes for key in keys)


def _of_allocator(figures: Optional[List[Allocator]]) -> List[Explanation]:
    told = []
    for device in figures or []:
        reserved, allocated = device["reserved_bytes"], device["allocated_bytes"]
        split = device["inactive_split_bytes"] or 0
        if reserved is None or allocated is None:
            continue
        path = f"cuda:{device['index']}"
        if split > max(_NOTABLE, reserved // 4):
            told.append(explanation("fragmentation", path, size=split))
        cached = reserved - allocated - split
        if cached > max(_NOTABLE, reserved // 8):
            told.append(explanation("cached", path, size=cached))
    return told


def _workers() -> List[Explanation]:
    processes: Any = sys.modules.get("multiprocessing.process")
    children = list(getattr(processes, "_children", ()))
    if not children:
        return []
    return [explanation("workers", str(children[0].name)[:200], count=len(children))]
