"""All tensor memory of the process, as weak references."""

from __future__ import annotations

import gc
import sys
import time
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from .graph import Graph, backward_runs

NO_TENSOR, TENSOR, TENSOR_SUBCLASS, STORAGE = range(4)
_MAX_SCAN_S = 5.0


class Storage(NamedTuple):
    """Memory that tensors share; ``ref`` is PyTorch's weak reference to it."""

    ref: Any
    nbytes: int
    is_on_gpu: bool
    device: str


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
    tensors = tensor_reader()
    if tensors is None:
        return None
    # Neither a subclass nor a mode of the user (or of our simulator) is to see our questions.
    with tensors.torch._C.DisableTorchFunction():
        deadline = time.monotonic() + _MAX_SCAN_S
        nodes: List[Any] = []
        for tensor in tensors.of_python():
            tensors.note(tensor)
            gradient = tensors.gradient_of(tensor)
            if gradient is not None:
                tensors.note(gradient)
            node = tensors.node_of(tensor)
            if node is not None:
                nodes.append(node)
        if nodes and not backward_runs():
            Graph(tensors.torch, tensors.note).walk(nodes, deadline)
        return list(tensors.found.values())


def tensor_reader() -> Optional["Tensors"]:
    """Return what reads tensors; None if PyTorch is not loaded."""
    torch: Any = sys.modules.get("torch")
    weak_reference: Any = getattr(
        sys.modules.get("torch.multiprocessing.reductions"), "StorageWeakRef", None
    )
    if not hasattr(torch, "Tensor") or weak_reference is None:
        return None
    return Tensors(torch, weak_reference)


class Tensors:
    """Tell tensors from other objects, and remember their storages weakly.

    To be used where ``torch`` does not dispatch functions (``DisableTorchFunction``).
    """

    def __init__(self, torch: Any, weak_reference: Callable[[Any], Any]) -> None:
        self.torch = torch
        self.found: Dict[int, Storage] = {}
        self._weak_reference = weak_reference
        # These claim gigabytes that do not exist.
        self._pretenders = tuple(
            getattr(sys.modules[module], name)
            for module, name in (
                ("torch._subclasses.fake_tensor", "FakeTensor"),
                ("torch._subclasses.functional_tensor", "FunctionalTensor"),
            )
            if hasattr(sys.modules.get(module), name)
        )

    def of_python(self) -> List[Any]:
        """Return all tensors and storages that the collector knows."""
        candidates = gc.get_objects()
        # By id, since a metaclass can forbid hashing; the list keeps all types alive meanwhile.
        kinds = {id(kind): kind for kind in map(type, candidates)}
        wanted = {key for key, kind in kinds.items() if self.kind(kind) != NO_TENSOR}
        return [c for c in candidates if id(type(c)) in wanted]

    def kind(self, kind: type) -> int:
        """Tell what the instances of a type are."""
        if issubclass(kind, self.torch.UntypedStorage):
            return STORAGE
        if not issubclass(kind, self.torch.Tensor) or issubclass(kind, self._pretenders):
            return NO_TENSOR
        exact = kind is self.torch.Tensor or kind is self.torch.nn.Parameter
        return TENSOR if exact else TENSOR_SUBCLASS

    def is_tensor(self, candidate: Any) -> bool:
        """Tell whether an object is a tensor that has memory, and not a bare storage."""
        return self.kind(type(candidate)) in (TENSOR, TENSOR_SUBCLASS)

    def shape_of(self, tensor: Any) -> List[int]:
        """Return the size of each dimension; none for a bare storage."""
        if not self.is_tensor(tensor):
            return []
        return [int(size) for size in self.torch.Tensor.shape.__get__(tensor)]

    def size_of(self, tensor: Any) -> int:
        """Return the bytes that a tensor itself shows; 0 for a bare storage."""
        if not self.is_tensor(tensor):
            return 0
        base = self.torch.Tensor
        return int(base.numel(tensor)) * int(base.element_size(tensor))

    def dtype_of(self, tensor: Any) -> str:
        """Name the type of the elements."""
        if not self.is_tensor(tensor):
            return "bytes"
        return str(self.torch.Tensor.dtype.__get__(tensor)).replace("torch.", "")

    def requires_grad(self, tensor: Any) -> bool:
        """Tell whether a tensor takes part in a backward pass."""
        return self.is_tensor(tensor) and bool(self.torch.Tensor.requires_grad.__get__(tensor))

    def node_of(self, tensor: Any) -> Any:
        """Return the tensor's node in a graph."""
        if self.kind(type(tensor)) == STORAGE:
            return None
        try:
            return self.torch.Tensor.grad_fn.__get__(tensor)
        except Exception:  # noqa: BLE001  a tensor that cannot answer holds no graph we know of
            return None

    def gradient_of(self, tensor: Any) -> Any:
        """Return the gradient of a leaf, or of a result that was told to retain it."""
        base = self.torch.Tensor
        if self.kind(type(tensor)) == STORAGE:
            return None
        try:
            is_asked = base.grad_fn.__get__(tensor) is None or base.retains_grad.__get__(tensor)
            return base.grad.__get__(tensor) if is_asked else None
        except Exception:  # noqa: BLE001  a tensor that cannot answer has no gradient we know of
            return None

    def note(self, tensor: Any) -> Optional[int]:
        """Remember the storage of a tensor; return its key, None if it has no memory of its own."""
        try:
            kind = self.kind(type(tensor))
            storage = tensor if kind == STORAGE else self.torch.Tensor.untyped_storage(tensor)
            key: int = storage._cdata
            if key in self.found:
                return key
            nbytes = storage.nbytes()
            if kind == NO_TENSOR or nbytes == 0:
                return None
            device = storage.device
            # A wrapper has no memory of its own; what it wraps is found by itself.
            if device.type == "meta" or (kind == TENSOR_SUBCLASS and storage.data_ptr() == 0):
                return None
            is_on_gpu, name = self._place(tensor, kind, device)
            self.found[key] = Storage(self._weak_reference(storage), nbytes, is_on_gpu, name)
            return key
        except Exception:  # noqa: BLE001  no storage: sparse, nested, not initialised
            return None

    def _place(self, tensor: Any, kind: int, device: Any) -> Any:
        if device.type != "cpu":
            return True, str(device)
        # A simulated GPU is a property of the tensor.
        if kind != STORAGE and bool(self.torch.Tensor.is_cuda.__get__(tensor)):
            return True, str(self.torch.Tensor.device.__get__(tensor))
        return False, "host"
