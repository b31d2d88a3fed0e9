"""Which storages live on which simulated GPU.

A tensor of the simulated GPU is a CPU tensor whose storage is tagged. Everything else follows.
"""

from __future__ import annotations

import threading
import weakref
from collections import deque
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch.multiprocessing import reductions

from .allocator import OutOfDeviceMemory
from .settings import GIB, MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .board import Board

storage_device: Callable[[Any], torch.device] = torch.UntypedStorage.device.__get__
"""Where a storage really is."""
StorageWeakRef: Any = reductions.StorageWeakRef
HOST = -1
"""Index that stands for "not on a GPU"."""


class Tag(NamedTuple):
    """Where a storage is. ``pin`` keeps its address from being used again before the tag goes."""

    device: int
    nbytes: int
    pin: Any
    notice: weakref.ref[Any]


class Tags:
    """The tagged storages, and the wish of the calling thread where new ones should go."""

    def __init__(self, board: Board, *, scale: int) -> None:
        self.board = board
        self.scale = scale
        self._tags: dict[int, Tag] = {}
        # Filled by weak reference callbacks, which may run anywhere, also inside the allocator.
        self._dead: deque[int] = deque()
        self._lock = threading.RLock()
        self._wish = threading.local()

    @property
    def wish(self) -> int | None:
        """Where the calling thread wants new storages; ``None`` is "with the inputs"."""
        return getattr(self._wish, "index", None)

    @contextmanager
    def placing(self, index: int | None) -> Iterator[None]:
        """Send new storages of this thread to a device, or to :data:`HOST`."""
        before = self.wish
        self._wish.index = index
        try:
            yield
        finally:
            self._wish.index = before

    def device_of(self, tensor: torch.Tensor) -> int | None:
        """Return the simulated GPU a tensor is on."""
        storage = storage_of(tensor)
        tag = None if storage is None else self._tags.get(storage._cdata)
        return None if tag is None else tag.device

    def device_of_storage(self, storage: torch.UntypedStorage) -> int | None:
        """Return the simulated GPU a storage is on."""
        tag = self._tags.get(storage._cdata)
        return None if tag is None else tag.device

    def place(self, storage: torch.UntypedStorage, index: int) -> None:
        """Put a storage on a device, or count a resized one anew where it is."""
        key, nbytes = storage._cdata, storage.nbytes()
        with self._lock:
            self.forget_dead()
            tag = self._tags.get(key)
            if tag is not None and tag.nbytes == nbytes:
                return
            if tag is not None:
                index = tag.device
                self.board.devices[index].allocator.release(key)
            self._allocate(key, nbytes * self.scale, index)
            notice = weakref.ref(storage, partial(_note_dead, self._dead, key))
            self._tags[key] = Tag(index, nbytes, StorageWeakRef(storage), notice)

    def forget_dead(self) -> None:
        """Free what no tensor uses any more. Runs before every allocation and figure."""
        with self._lock:
            for _ in range(len(self._dead)):
                key = self._dead.popleft()
                tag = self._tags[key]
                if tag.pin.expired():
                    self.board.devices[tag.device].allocator.release(key)
                    del self._tags[key]
                else:  # Python forgot it, C++ has not: ask again.
                    self._dead.append(key)

    def empty_cache(self) -> None:
        """Give free segments of all devices back to the driver."""
        with self._lock:
            self.forget_dead()
            for device in self.board.devices:
                device.allocator.empty_cache()
            self.board.publish()

    def _allocate(self, key: int, nbytes: int, index: int) -> None:
        torch.cuda._initialized = True
        device = self.board.use(index)
        refusal = None
        try:
            device.allocator.allocate(key, nbytes)
        except OutOfDeviceMemory as error:
            refusal = self._explain(error, index)
        self.board.publish()
        if refusal is not None:
            self._tags.pop(key, None)
            # Not from within "except": the context would keep more frames alive.
            raise torch.cuda.OutOfMemoryError(refusal)

    def _explain(self, error: OutOfDeviceMemory, index: int) -> str:
        device = self.board.devices[index]
        allocated, reserved = device.allocator.allocated_bytes, device.allocator.reserved_bytes
        return (
            f"CUDA out of memory. Tried to allocate {_size(error.requested_bytes)}. "
            f"GPU {index} has a total capacity of {_size(self.board.hardware.total_bytes)} "
            f"of which {_size(self.board.free_bytes(index))} is free. Including non-PyTorch "
            f"memory, this process has {_size(device.used_bytes)} memory in use. Of the allocated "
            f"memory {_size(allocated)} is allocated by PyTorch, and {_size(reserved - allocated)} "
            "is reserved by PyTorch but unallocated. "
            "This GPU is simulated (jupyterlab_gpumem.simulator)."
        )


def _note_dead(dead: deque[int], key: int, _: object) -> None:
    dead.append(key)


def storage_of(tensor: torch.Tensor) -> torch.UntypedStorage | None:
    """Return a tensor's storage; ``None`` for kinds without one (sparse, functorch)."""
    try:
        with torch._C.DisableTorchFunctionSubclass():
            return torch.Tensor.untyped_storage(tensor)
    except (RuntimeError, NotImplementedError):
        return None


def _size(nbytes: int) -> str:
    return f"{nbytes / GIB:.2f} GiB" if nbytes >= GIB else f"{nbytes / MIB:.2f} MiB"
