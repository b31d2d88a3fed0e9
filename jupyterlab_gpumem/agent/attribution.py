"""Which names lead to which memory."""

from __future__ import annotations

import collections
from typing import Any, Callable, Deque, Dict, Iterator, List, NamedTuple, Optional

from ..wire import Category
from .categories import categories_of
from .roots import Root
from .search import Search
from .storages import Storage

_MAX_WAY = 20_000


class Share(NamedTuple):
    """Memory of one category on one device that the same roots lead to."""

    mask: int
    category: Category
    device: str


class Attribution:
    """Put storages down to roots: a storage to all that lead to it, its bytes counted once.

    A mask has one bit for each root in ``roots``, which are in the order of the search.
    """

    def __init__(self, search: Search, wanted: Callable[[Storage], bool]) -> None:
        self.search = search
        found = search.tensors.found
        self.tensors_of: Dict[int, List[int]] = {}
        # In the order of the search, which is the same the next time; that of the collector is not.
        for tensor in dict.fromkeys([*search.met_tensors, *search.storage_of]):
            key = search.storage_of[tensor]
            if key is not None and wanted(found[key]):
                self.tensors_of.setdefault(key, []).append(tensor)
        self.storages = {key: found[key] for key in self.tensors_of}
        self.roots: List[Root] = []
        self._children: Dict[Any, List[int]] = {}
        self._masks: Dict[int, int] = {}
        self._go_up()
        self._push_down()
        self.masks = {key: self._mask_of(key) for key in self.storages}
        self.categories = categories_of(search, self.tensors_of)

    def shares(self) -> Dict[Share, List[int]]:
        """Group the storages by the roots that lead to them, what they are and where."""
        groups: Dict[Share, List[int]] = {}
        for key, mask in self.masks.items():
            share = Share(mask, self.categories[key], self.storages[key].device)
            groups.setdefault(share, []).append(key)
        return groups

    def roots_in(self, mask: int) -> Iterator[Root]:
        """Yield the roots of a mask, in the order of the search."""
        while mask:
            bit = mask & -mask
            yield self.roots[bit.bit_length() - 1]
            mask ^= bit

    def first_root(self, key: int) -> Optional[Root]:
        """Return the root that a storage counts for where it may count only once."""
        return next(self.roots_in(self.masks[key]), None)

    def objects(self, key: int) -> List[Any]:
        """Return the tensors over a storage, those that a root leads to if there are any."""
        # The base of a view lives on inside PyTorch, when its name is gone.
        met = [t for t in self.tensors_of[key] if self.search.is_met(t)]
        return [self.search.objects[tensor] for tensor in met or self.tensors_of[key]]

    def sample(self, key: int) -> Any:
        """Return one tensor over a storage: a leaf rather than a view, a tensor in any case."""
        candidates = self.objects(key)
        tensors = [t for t in candidates if self.search.tensors.is_tensor(t)]
        return max(tensors, key=self.search.tensors.size_of) if tensors else candidates[0]

    def way(self, root: Root, key: int) -> List[Any]:
        """Return the objects on the shortest way from a root to a tensor of a storage."""
        bit = 1 << self.roots.index(root)
        next_of: Dict[int, Optional[int]] = dict.fromkeys(self.tensors_of[key])
        queue: Deque[int] = collections.deque(next_of)
        while queue and len(next_of) < _MAX_WAY:
            current = queue.popleft()
            parents = self.search.parents_of(current)
            if any(parent is root for parent in parents):
                return self._follow(current, next_of)
            for parent in parents:
                if type(parent) is not int or parent in next_of:
                    continue
                if self._masks.get(parent, 0) & bit:
                    next_of[parent] = current
                    queue.append(parent)
        return []

    def _follow(self, current: Optional[int], next_of: Dict[int, Optional[int]]) -> List[Any]:
        way = []
        while current is not None:
            way.append(self.search.objects[current])
            current = next_of[current]
        return way

    def _mask_of(self, key: int) -> int:
        mask = 0
        for tensor in self.tensors_of[key]:
            mask |= self._masks.get(tensor, 0)
        return mask

    def _go_up(self) -> None:
        """Find all that lies between roots and storages, which is little of what was searched."""
        pending = [t for tensors in self.tensors_of.values() for t in tensors]
        relevant = set(pending)
        leading = set()
        while pending:
            child = pending.pop()
            for parent in self.search.parents_of(child):
                self._children.setdefault(parent, []).append(child)
                if type(parent) is int:
                    if parent not in relevant:
                        relevant.add(parent)
                        pending.append(parent)
                else:
                    leading.add(parent)
        self.roots = [root for root in self.search.roots if root in leading]

    def _push_down(self) -> None:
        masks = self._masks
        work: Deque[int] = collections.deque()
        for number, root in enumerate(self.roots):
            for child in self._children[root]:
                masks[child] = masks.get(child, 0) | 1 << number
                work.append(child)
        while work:
            parent = work.popleft()
            mask = masks[parent]
            for child in self._children.get(parent, ()):
                known = masks.get(child, 0)
                if known | mask != known:
                    masks[child] = known | mask
                    work.append(child)
