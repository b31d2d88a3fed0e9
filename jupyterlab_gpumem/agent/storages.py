"""All tensor memory of the process, as weak references."""

from __future__ import annotations

import gc
import sys
import time
from typing import Any, Dict, List, NamedTuple, Optional

from .graph import Graph, backward_runs

_OTHER, _TENSOR, _TENSOR_SUBCLASS, _STORAGE = range(4)
_MAX_SCAN_S = 5.0


class Storage(NamedTuple):
    """Memory that tensors share; ``ref`` is PyTorch's weak reference to it."""

    ref: Any
    nbytes: int
    is_on_gpu: bool


class Held(NamedTuple):
    """Bytes of storages, by where they lie."""

    gpu_bytes: int
    host_bytes: int


def count(storages: List[Storage], *, alive: bool) -> Held:
    """Add up the storages that are still alive, or those that are gone."""
    chosen = [s for s in storages if s.ref.expired() is not alive]
    gpu = sum(s.nbytes for s in chosen if s.is_on_gpu)
    return Held(gpu, sum(s.nbytes for s in chosen) - gpu)


def find_storages() -> Optional[List[Storage]]:
    """Return all storages that a Python object or a graph holds; None if PyTorch is not loaded.

    Nothing is held afterwards. Foreign objects are only asked for their type.
    """
    torch: Any = sys.modules.get("torch")
    weak_reference: Any = getattr(
        sys.modules.get("torch.multiprocessing.reductions"), "StorageWeakRef", None
    )
    if not hasattr(torch, "Tensor") or weak_reference is None:
        return None
    # Neither a subclass nor a mode of the user (or of our simulator) is to see our questions.
    with torch._C.DisableTorchFunction():
        return _Scan(torch, weak_reference).run()


class _Scan:
    def __init__(self, torch: Any, weak_reference: Any) -> None:
        self._torch = torch
        self._weak_reference = weak_reference
        self._found: Dict[int, Storage] = {}
        # These claim gigabytes that do not exist.
        self._pretenders = tuple(
            getattr(sys.modules[module], name)
            for module, name in (
                ("torch._subclasses.fake_tensor", "FakeTensor"),
                ("torch._subclasses.functional_tensor", "FunctionalTensor"),
            )
            if hasattr(sys.modules.get(module), name)
        )

    def run(self) -> List[Storage]:
        deadline = time.monotonic() + _MAX_SCAN_S
        nodes: List[Any] = []
        for tensor in self._python_tensors():
            self._note(tensor)
            node = self._node_of(tensor)
            if node is not None:
                nodes.append(node)
        if nodes and not backward_runs():
            Graph(self._torch, self._note).walk(nodes, deadline)
        return list(self._found.values())

    def _python_tensors(self) -> List[Any]:
        tensors = []
        kinds: Dict[int, int] = {}
        # By id, since a metaclass can forbid hashing; the list keeps all types alive meanwhile.
        for candidate in gc.get_objects():
            kind = kinds.get(id(type(candidate)))
            if kind is None:
                kind = kinds[id(type(candidate))] = self._kind(type(candidate))
            if kind != _OTHER:
                tensors.append(candidate)
        return tensors

    def _kind(self, kind: type) -> int:
        if issubclass(kind, self._torch.UntypedStorage):
            return _STORAGE
        if not issubclass(kind, self._torch.Tensor) or issubclass(kind, self._pretenders):
            return _OTHER
        exact = kind is self._torch.Tensor or kind is self._torch.nn.Parameter
        return _TENSOR if exact else _TENSOR_SUBCLASS

    def _node_of(self, tensor: Any) -> Any:
        """Return the tensor's node in a graph; note its gradient if it is a leaf."""
        base = self._torch.Tensor
        if self._kind(type(tensor)) == _STORAGE:
            return None
        try:
            node = base.grad_fn.__get__(tensor)
            gradient = base.grad.__get__(tensor) if node is None else None
        except Exception:  # noqa: BLE001  a tensor that cannot answer holds no graph we know of
            return None
        if gradient is not None:
            self._note(gradient)
        return node

    def _note(self, tensor: Any) -> None:
        try:
            kind = self._kind(type(tensor))
            storage = tensor if kind == _STORAGE else self._torch.Tensor.untyped_storage(tensor)
            if kind == _OTHER or storage._cdata in self._found or storage.nbytes() == 0:
                return
            device = storage.device.type
            # A wrapper has no memory of its own; what it wraps is found by itself.
            if device == "meta" or (kind == _TENSOR_SUBCLASS and storage.data_ptr() == 0):
                return
            is_on_gpu = device != "cpu" or (
                kind != _STORAGE and bool(self._torch.Tensor.is_cuda.__get__(tensor))
            )
            reference = self._weak_reference(storage)
            self._found[storage._cdata] = Storage(reference, storage.nbytes(), is_on_gpu)
        except Exception:  # noqa: BLE001  no storage: sparse, nested, not initialised
            return
