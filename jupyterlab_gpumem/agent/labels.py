"""A name for the way from a root to a tensor, as a user would write it."""

from __future__ import annotations

import types
from typing import Any, Dict, List, Optional

from .kinds import CLASS, DICT, FRAME, FUNCTION, NODE, SEQUENCE, TENSOR, Kinds, names_of
from .roots import Root
from .step_names import (
    MAX_KEY,
    SPECIAL,
    attribute,
    frame_text,
    of_frame,
    of_function,
    of_sequence,
    slots_of,
)
from .storages import Tensors
from .text import plain, type_name

_SIMPLE = (str, int, float, bool, type(None))
_FOLDED = ("_modules", "_parameters", "_buffers")


class Labels:
    """Put ways into words; runs no code of the objects on them."""

    def __init__(self, tensors: Tensors, kinds: Kinds) -> None:
        self._tensors = tensors
        self._kinds = kinds

    def describe(self, root: Root, way: List[Any]) -> str:
        """Describe the way from a root: ``model.layers[0].weight``."""
        text = root.path
        folds = False
        if way and self._kinds.of(type(way[0])) == FRAME:
            text += frame_text(way[0], None)
        previous: Any = None
        for number, parent in enumerate(way[:-1]):
            child = way[number + 1]
            step = self._step(parent, child, previous)
            previous = parent
            if step[:1] == "." and step[1:] in _FOLDED:
                folds = True
                continue
            if folds and step[:2] in ("['", '["'):
                name = step[2:-2]
                step = f"[{name}]" if name.isdigit() else f".{name}"
            folds = False
            if step == " → autograd graph" and text.endswith(step):
                continue
            text += step
        return plain(text, 300)

    def _step(self, parent: Any, child: Any, previous: Any) -> str:
        kind = self._kinds.of(type(parent))
        if kind == DICT:
            if self._dict_of(previous) is parent:
                return attribute(parent, child)
            return self._item(parent, child)
        if kind == SEQUENCE:
            return of_sequence(parent, child, previous)
        if kind == TENSOR:
            return self._step_of_tensor(parent, child)
        if kind == NODE:
            return "" if self._kinds.of(type(child)) in (NODE, TENSOR) else " → context"
        if kind == FRAME:
            return of_frame(parent, child)
        if kind == FUNCTION:
            return of_function(parent, child)
        if kind == CLASS:
            return attribute(names_of(parent), child)
        special = SPECIAL.get(id(type(parent)))
        return special(parent, child) if special is not None else self._of_object(parent, child)

    def _step_of_tensor(self, parent: Any, child: Any) -> str:
        kind = self._kinds.of(type(child))
        if kind == NODE:
            return " → autograd graph"
        if kind == TENSOR:
            return ".grad"
        return "" if kind == DICT else " → hook"

    def _item(self, parent: Any, child: Any) -> str:
        for key, value in list(dict.items(parent)):
            if value is child:
                return f"[{self._key(key)}]"
            if key is child:
                return " → key"
        return ""

    def _key(self, key: Any) -> str:
        kind = type(key)
        # Not ``in``: that would ask a metaclass whether two classes are equal.
        if any(kind is simple for simple in _SIMPLE):
            return plain(repr(key[:MAX_KEY] if kind is str else key), MAX_KEY + 2)
        if self._kinds.of(kind) == TENSOR:
            shape = tuple(self._tensors.torch.Tensor.shape.__get__(key))
            return "<{}>".format("×".join(str(size) for size in shape) or "scalar")
        return f"<{type_name(kind)}>"

    def _of_object(self, parent: Any, child: Any) -> str:
        kind = self._kinds.of(type(child))
        if kind == CLASS:
            return f" → class {type_name(child)}"
        attributes = self._dict_of(parent)
        if attributes is child:
            return ""
        if attributes is not None:
            step = attribute(attributes, child)
            if step:
                return step
        for name, slot in slots_of(type(parent)).items():
            try:
                if slot.__get__(parent) is child:
                    return f".{name}"
            except AttributeError:
                continue
        if issubclass(type(parent), BaseException):
            return ""
        return f" → {type_name(type(parent))}"

    def _dict_of(self, parent: Any) -> Optional[Dict[str, Any]]:
        """Return the attributes of an instance, unless its class makes them up."""
        for base in type.__dict__["__mro__"].__get__(type(parent)):
            getter = names_of(base).get("__dict__")
            if type(getter) is types.GetSetDescriptorType and parent is not None:
                found = getter.__get__(parent)
                return found if type(found) is dict else None
        return None
