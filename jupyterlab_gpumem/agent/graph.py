"""Tensors that only PyTorch's autograd graph holds.

The garbage collector sees a few per cent of them: saved outputs and all that C++ saves have no
Python object.
"""

from __future__ import annotations

import sys
import threading
import time
from typing import Any, Callable, Dict, Iterator, List, Tuple


def backward_runs() -> bool:
    """Tell whether another thread is in a backward pass.

    Then the graph must be left alone: its nodes are locked, and a node written in Python waits for
    the interpreter that we would hold while waiting for the node.
    """
    frames: Dict[int, Any] = dict(sys._current_frames())
    # A name for our own frame would be a cycle, and keep all that our callers hold.
    del frames[threading.get_ident()]
    for frame in frames.values():
        while frame is not None:
            if frame.f_code.co_name == "_engine_run_backward":
                return True
            frame = frame.f_back
    return False


class Graph:
    """Walk from nodes to all that their graphs save."""

    def __init__(self, torch: Any, note: Callable[[Any], object]) -> None:
        self._tensor = torch.Tensor
        self._python_node = torch._C._FunctionBase
        self._note = note
        # The nodes themselves, since an id is only good while its object lives.
        self._seen: Dict[int, Any] = {}
        self._fields: Dict[int, Tuple[str, ...]] = {}

    def walk(self, nodes: List[Any], deadline: float) -> None:
        """Note every tensor that is saved behind ``nodes``, until the ``deadline``."""
        pending: List[Any] = []
        self._push(nodes, pending)
        while pending and time.monotonic() < deadline:
            node = pending.pop()
            self._push(self.next_of(node), pending)
            for tensor in self.saved_by(node):
                self._note(tensor)

    def _push(self, nodes: List[Any], pending: List[Any]) -> None:
        for node in nodes:
            if id(node) not in self._seen:
                self._seen[id(node)] = node
                pending.append(node)

    def next_of(self, node: Any) -> List[Any]:
        """Return the nodes that follow in a backward pass."""
        if issubclass(type(node), self._python_node):
            # The descriptor of the base, since the user's class can answer anything.
            following = self._python_node.next_functions.__get__(node)
        else:
            following = node.next_functions
        return [n for n, _ in following if n is not None]

    def saved_by(self, node: Any) -> Iterator[Any]:
        """Yield saved tensors without unpacking: that could recompute, or copy to the device."""
        for field in self._raw_fields(type(node)):
            try:
                if issubclass(type(node), self._python_node):
                    value = self._python_node.__dict__[field].__get__(node)
                else:
                    value = getattr(node, field)
                for item in value if type(value) in (tuple, list) else (value,):
                    tensor = item if field == "variable" else item.data
                    if issubclass(type(tensor), self._tensor):
                        yield tensor
            except (AttributeError, RuntimeError):
                continue  # freed by the backward pass, or a PyTorch that cannot tell

    def _raw_fields(self, kind: type) -> Tuple[str, ...]:
        fields = self._fields.get(id(kind))
        if fields is None:
            if issubclass(kind, self._python_node):
                fields = ("_raw_saved_tensors",)
            else:
                names = dir(kind)
                fields = tuple(n for n in names if n.startswith("_raw_saved_") or n == "variable")
            self._fields[id(kind)] = fields
        return fields
