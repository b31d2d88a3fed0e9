"""Steps of a way through attributes, functions, frames and generators, as text."""

from __future__ import annotations

import collections
import types
from typing import Any, Callable, Dict, Optional

from .frames import locals_of
from .kinds import names_of
from .text import plain

MAX_KEY = 40
_MAX_NAME = 60


def attribute(names: Any, child: Any) -> str:
    """Name the attribute of a child."""
    for name, value in list(names.items()):
        if value is child and type(name) is str:
            return f".{plain(name, MAX_KEY)}"
    return ""


def slots_of(kind: type) -> Dict[str, Any]:
    """Return the slots of a class."""
    return {
        name: slot
        for base in type.__dict__["__mro__"].__get__(kind)
        for name, slot in names_of(base).items()
        if type(slot) is types.MemberDescriptorType
    }


def of_sequence(parent: Any, child: Any, previous: Any) -> str:
    """Name a child by its place, or the variable that a closure keeps."""
    number = next((i for i, item in enumerate(parent) if item is child), None)
    if number is None:
        return ""
    if type(previous) is types.FunctionType and previous.__closure__ is parent:
        return f" → closure {plain(previous.__code__.co_freevars[number], MAX_KEY)}"
    return f"[{number}]"


def of_frame(parent: types.FrameType, child: Any) -> str:
    """Name the local variable of a function, or the function that has called it."""
    if type(child) is types.FrameType:
        return frame_text(child, None)
    return _local(locals_of(parent), child)


def _local(names: Dict[str, Any], child: Any) -> str:
    inner = child.cell_contents if type(child) is types.CellType else child
    name = next((n for n, value in names.items() if value is inner), None)
    return "" if name is None else f" → {name}"


def frame_text(frame: types.FrameType, line: Optional[int]) -> str:
    """Name a function that runs or has failed, and where it is."""
    name = plain(frame.f_code.co_name, _MAX_NAME)
    return f" → {name}() line {line or frame.f_lineno}"


def _of_traceback(parent: Any, child: Any) -> str:
    if type(child) is types.FrameType and child.f_code.co_name != "<module>":
        return frame_text(child, parent.tb_lineno)
    return ""


def of_function(parent: Any, child: Any) -> str:
    """Name the part of a function that keeps a child."""
    if child is parent.__closure__:
        return ""
    if child is parent.__defaults__ or child is parent.__kwdefaults__:
        return " → default"
    return " → globals" if child is parent.__globals__ else ""


def _of_method(parent: Any, child: Any) -> str:
    return ".__self__" if child is parent.__self__ else ""


def _of_generator(parent: Any, child: Any) -> str:
    frame = next(
        (getattr(parent, n) for n in ("gi_frame", "cr_frame", "ag_frame") if hasattr(parent, n)),
        None,
    )
    if frame is None:
        return ""
    name = plain(frame.f_code.co_name, _MAX_NAME)
    where = f" → suspended {name}() line {frame.f_lineno}"
    return where + ("" if child is frame else _local(locals_of(frame), child))


_BY_KIND: Dict[type, Callable[[Any, Any], str]] = {
    types.TracebackType: _of_traceback,
    types.MethodType: _of_method,
    types.GeneratorType: _of_generator,
    types.CoroutineType: _of_generator,
    types.AsyncGeneratorType: _of_generator,
    types.CellType: lambda *_: "",
    types.BuiltinMethodType: lambda *_: ".__self__",
    collections.deque: lambda parent, child: of_sequence(parent, child, None),
    set: lambda *_: "[…]",
    frozenset: lambda *_: "[…]",
}
# By id, since a metaclass can forbid hashing.
SPECIAL = {id(kind): step for kind, step in _BY_KIND.items()}
