"""What kind of object a type makes, without running a line of the type's own code."""

from __future__ import annotations

import collections
import functools
import os
import sys
import types
from typing import Any, Dict, List

from .storages import NO_TENSOR, Tensors

ATOM, DICT, SEQUENCE, TENSOR, NODE, FRAME, FUNCTION, CLASS, CACHE, MODULE, OTHER = range(11)

# The standard library; what pip installs lies in a folder ``…-packages``.
_LIBRARIES = (os.path.dirname(os.__file__), "<frozen")
_HAS_GC = 1 << 14  # Py_TPFLAGS_HAVE_GC
_bases_of = type.__dict__["__mro__"].__get__
_flags_of = type.__dict__["__flags__"].__get__
_module_of = type.__dict__["__module__"].__get__
_name_of = type.__dict__["__qualname__"].__get__
names_of = type.__dict__["__dict__"].__get__
"""The attributes of a class, whatever its metaclass says."""

cache_type: Any = type(functools.lru_cache(maxsize=None)(len))
_EXACT: Dict[type, int] = {
    dict: DICT,
    collections.OrderedDict: DICT,
    collections.defaultdict: DICT,
    list: SEQUENCE,
    tuple: SEQUENCE,
    types.FrameType: FRAME,
    types.FunctionType: FUNCTION,
    types.CodeType: ATOM,
    types.MappingProxyType: OTHER,
    cache_type: CACHE,
}


class Kinds:
    """Sort types into kinds, once each."""

    def __init__(self, tensors: Tensors) -> None:
        self._tensors = tensors
        # By id, since a metaclass can forbid hashing; the types themselves, so that ids stay true.
        self._kinds: Dict[int, int] = {id(kind): value for kind, value in _EXACT.items()}
        self._types: List[type] = []
        self._python_node = tensors.torch._C._FunctionBase
        self._followed: Dict[int, bool] = {}

    def of(self, kind: type) -> int:
        """Return the kind of the instances of a type."""
        known = self._kinds.get(id(kind))
        if known is None:
            known = self._kinds[id(kind)] = self._sort(kind)
            self._types.append(kind)
        return known

    @property
    def table(self) -> Dict[int, int]:
        """The known kinds by the id of their type, for loops that have no time for a call."""
        return self._kinds

    def leads_on(self, kind: int) -> bool:
        """Tell whether objects of a kind can be on the way from a name to a tensor."""
        return kind not in (ATOM, MODULE)

    def follows(self, class_: type) -> bool:
        """Tell whether an instance keeps this class alive: nothing else may have it.

        A class that its module still has is held by the module, which is searched by itself.
        """
        known = self._followed.get(id(class_))
        if known is None:
            known = self._followed[id(class_)] = _is_loose(class_)
            self._types.append(class_)
        return known

    def _sort(self, kind: type) -> int:
        if self._tensors.kind(kind) != NO_TENSOR:
            return TENSOR
        bases = _bases_of(kind)
        if issubclass(kind, self._tensors.torch.Tensor):
            return ATOM  # claims memory that does not exist
        # Not ``in``: that would ask a metaclass whether two classes are equal.
        if issubclass(kind, type):
            return CLASS
        if issubclass(kind, types.ModuleType):
            return MODULE
        if issubclass(kind, self._python_node) or _is_native_node(bases):
            return NODE
        return OTHER if _flags_of(kind) & _HAS_GC else ATOM


def _is_native_node(bases: Any) -> bool:
    # By the kind of the attribute: only a type written in C++ has one.
    names = names_of(bases[0])
    return all(
        type(names.get(name)) is types.GetSetDescriptorType
        for name in ("next_functions", "metadata")
    )


def _is_loose(class_: type) -> bool:
    module, name = _module_of(class_), _name_of(class_)
    if type(module) is not str or type(name) is not str:
        return False
    if module == "__main__":
        return True
    owner = sys.modules.get(module)
    if type(owner) is not types.ModuleType or is_library(owner):
        return False
    # ``is not``: after a reload the module has another class of this name.
    return "." in name or vars(owner).get(name) is not class_


def is_library(module: types.ModuleType) -> bool:
    """Tell whether a module was installed, rather than written beside the notebook."""
    names = types.ModuleType.__getattribute__(module, "__dict__")
    file = names.get("__file__")
    if type(file) is not str:
        # Without a file: built into Python, a namespace package, or made by a program.
        return names.get("__spec__") is not None
    return is_library_file(file)


def is_library_file(file: str) -> bool:
    """Tell whether a file was installed."""
    return "-packages" in file or file.startswith(_LIBRARIES)
