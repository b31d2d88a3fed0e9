"""What memory is for: parameters, gradients, state of an optimizer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List

from ..wire import Category
from .kinds import DICT, NODE, TENSOR

if TYPE_CHECKING:
    from .search import Search


def categories_of(search: Search, tensors_of: Dict[int, List[int]]) -> Dict[int, Category]:
    """Return the category of each storage."""
    judge = _Judge(search)
    return {key: judge.category(tensors) for key, tensors in tensors_of.items()}


class _Judge:
    def __init__(self, search: Search) -> None:
        self._search = search
        self._parameter = search.tensors.torch.nn.Parameter
        self._module = search.tensors.torch.nn.Module
        self._dictionaries: Dict[int, Category] = {}

    def category(self, tensors: List[int]) -> Category:
        """Judge by all tensors of a storage, the more telling first."""
        objects, edges = self._search.objects, self._search.edges
        if any(issubclass(type(objects[t]), self._parameter) for t in tensors):
            return "parameter"
        if any(t in edges.gradients for t in tensors):
            return "gradient"
        for tensor in tensors:
            for parent in self._search.parents_of(tensor):
                found = self._by_parent(parent)
                if found != "tensor":
                    return found
        is_saved = any(t in edges.saved for t in tensors)
        # A graph also saves what is held by others anyway.
        return "graph" if is_saved and not any(self._is_held(t) for t in tensors) else "tensor"

    def _is_held(self, tensor: int) -> bool:
        objects, kinds = self._search.objects, self._search.kinds
        return any(
            type(parent) is not int or kinds.of(type(objects[parent])) != NODE
            for parent in self._search.parents_of(tensor)
        )

    def _by_parent(self, parent: Any) -> Category:
        if type(parent) is not int:
            return "tensor"
        known = self._dictionaries.get(parent)
        if known is None:
            known = self._dictionaries[parent] = self._judge(parent)
        return known

    def _judge(self, parent: int) -> Category:
        kinds = self._search.kinds
        dictionary = self._search.objects[parent]
        if kinds.of(type(dictionary)) != DICT:
            return "tensor"
        for key in self._search.parents_of(parent):
            owner = self._search.objects.get(key) if type(key) is int else None
            if owner is None:
                continue
            if self._has_buffers(owner, dictionary):
                return "buffer"
            if kinds.of(type(owner)) == DICT and kinds.of(type(_first_key(owner))) == TENSOR:
                return "optimizer_state"
        return "tensor"

    def _has_buffers(self, owner: Any, dictionary: Any) -> bool:
        if issubclass(type(owner), self._module):
            owner = object.__getattribute__(owner, "__dict__")
        is_dict = self._search.kinds.of(type(owner)) == DICT
        return is_dict and dict.get(owner, "_buffers") is dictionary


def _first_key(dictionary: Any) -> Any:
    return next(iter(dict.keys(dictionary)), None)
