"""What in the user's namespace came from an import."""

from __future__ import annotations

import re
import sys
import types
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Set, Tuple

_INTERNAL = re.compile(r"_+|_\d+|_i+\d*|_(ih|oh|dh)|__\w+__")
_LOCAL = "<locals>"
# Descriptors of ``type``, since a metaclass can answer anything for itself.
_bases_of = type.__dict__["__mro__"].__get__
_module_of = type.__dict__["__module__"].__get__
_names_of = type.__dict__["__dict__"].__get__
_qualname_of = type.__dict__["__qualname__"].__get__


class Import(NamedTuple):
    """An imported object, and whether ``%who`` leaves it out."""

    value: Any
    is_hidden: bool


def find_imports(shell: Any) -> Dict[str, Import]:
    """Return what was imported, by name; never data of the user."""
    judge = _Judge([name for name in shell.user_ns if type(name) is str])
    hidden = shell.user_ns_hidden
    return {
        name: Import(value, hidden.get(name, judge) is value)
        for name, value in list(shell.user_ns.items())
        if type(name) is str and not _INTERNAL.fullmatch(name) and judge.is_import(name, value)
    }


def restore_imports(shell: Any, imports: Dict[str, Import]) -> None:
    """Put the imports back where a reset has not made the name anew."""
    for name, imported in imports.items():
        if name not in shell.user_ns:
            shell.user_ns[name] = imported.value
            if imported.is_hidden:
                shell.user_ns_hidden[name] = imported.value


class _Judge:
    """Tell imports from what the user made.

    By identity: what a module holds anyway costs nothing to keep.
    """

    def __init__(self, names: Iterable[str]) -> None:
        main = sys.modules.get("__main__")
        # A module may be anything: some packages put an object of theirs into sys.modules.
        self._modules = {
            name: module
            for name, module in list(sys.modules.items())
            if type(name) is str and issubclass(type(module), types.ModuleType)
        }
        self._module_ids = {id(module) for module in self._modules.values()}
        self._namespaces = {
            name: types.ModuleType.__getattribute__(module, "__dict__")
            for name, module in self._modules.items()
            if module is not main
        }
        self._globals = self._index(set(names))
        self._network: Any = getattr(sys.modules.get("torch.nn"), "Module", ())

    def _index(self, wanted: Set[str]) -> Dict[str, List[Tuple[str, int]]]:
        """Return, for each wanted name, the modules that have it and the id of what they have.

        By name first: a notebook can have ten thousand names, and there are thousands of modules.
        """
        index: Dict[str, List[Tuple[str, int]]] = {}
        for module, names in self._namespaces.items():
            for name in wanted.intersection(names):
                index.setdefault(name, []).append((module, id(names[name])))
        return index

    def is_import(self, name: str, value: Any) -> bool:
        kind = type(value)
        if issubclass(kind, types.ModuleType):
            # One that was made by hand is a container of the user.
            return id(value) in self._module_ids
        if issubclass(kind, type):
            defined = self._is_defined_in(_module_of(value), _qualname_of(value))
        elif kind is types.FunctionType:
            defined = self._is_defined_in(value.__module__, value.__qualname__)
        elif kind is types.BuiltinFunctionType:
            # Bound to an object it may be all that holds a tensor (``f = t.add``).
            owner = value.__self__
            defined = owner is None or (
                owner is not value and self.is_import(name, owner)
                if issubclass(type(owner), (type, types.ModuleType))
                else False
            )
        else:
            defined = False
        return defined or self._is_global_of_module(name, value)

    def _is_defined_in(self, module: Any, qualname: Any) -> bool:
        # What a function of a library returns can hold the user's data in a closure.
        return type(module) is str and module in self._namespaces and _LOCAL not in qualname

    def _is_global_of_module(self, name: str, value: Any) -> bool:
        """Tell whether a module has ``value`` under the same name, as after ``from m import name``.

        Numbers and strings are shared by the interpreter, so that only a float proves anything.
        """
        kind = type(value)
        if issubclass(kind, self._network):
            return False
        package = _package(_module_of(kind))
        proves = kind is float or any("__call__" in _names_of(base) for base in _bases_of(kind))
        return any(
            identity == id(value) and (proves or package == _package(module))
            for module, identity in self._globals.get(name, ())
        )


def _package(module: Any) -> Optional[str]:
    return module.split(".", 1)[0] if type(module) is str else None
