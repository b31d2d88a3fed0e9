"""``torch.cuda`` and its neighbours, made to find the simulated GPUs."""

from __future__ import annotations

import sys
from functools import wraps
from typing import TYPE_CHECKING, Any

import torch
import torch.cuda.amp.common
import torch.serialization

from . import streams
from .driver import Driver
from .tags import storage_device

if TYPE_CHECKING:
    from collections.abc import Callable

    from .tags import Tags
    from .transfer import Transfer

_PACKAGE_PRIORITY = 1
"""Before torch's own CPU (10) and CUDA (20)."""
_SAME_IN_ACCELERATOR = (
    "memory_stats",
    "memory_allocated",
    "memory_reserved",
    "max_memory_allocated",
    "max_memory_reserved",
    "reset_peak_memory_stats",
    "reset_accumulated_memory_stats",
)


def install(transfer: Transfer) -> None:
    """Put the replacements in place."""
    tags = transfer.tags
    driver = Driver(tags)
    driver.install()
    _storages(transfer)
    for name, value in _replacements(driver, len(tags.board.devices)).items():
        _replace(
            name,
            getattr(torch.cuda, name, None),
            value if isinstance(value, type) else _alone(value),
        )
    _accelerator(tags)
    _autocast()
    _fourier_plans()
    # cuDNN would be handed CPU tensors.
    torch.backends.cudnn.is_acceptable = lambda tensor: False
    torch.serialization.register_package(_PACKAGE_PRIORITY, _tagger(tags), _deserializer(transfer))


def _fourier_plans() -> None:
    """Say that no transform was planned; a CUDA build of torch would ask for a real device."""
    cache: Any = torch.backends.cuda.cuFFTPlanCache
    cache.size = cache.max_size = property(lambda self: 0)
    cache.clear = lambda self: None


def _replacements(driver: Driver, gpus: int) -> dict[str, Any]:
    def lazy_init() -> None:
        torch.cuda._initialized = True

    def no_seed(*_: Any) -> None:
        """Do nothing; the CPU's generator serves the simulated GPUs."""

    return {
        "_lazy_init": lazy_init,
        "_exchange_device": driver.exchangeDevice,
        "_maybe_exchange_device": driver.maybeExchangeDevice,
        "_is_in_bad_fork": driver.isInBadFork,
        "is_available": lambda: True,
        "is_bf16_supported": lambda including_emulation=True: True,
        "device_count": lambda: gpus,
        "get_device_properties": driver.properties,
        "mem_get_info": driver.memory_info,
        "manual_seed": no_seed,
        "manual_seed_all": no_seed,
        "seed": no_seed,
        "seed_all": no_seed,
        "get_rng_state": lambda device="cuda": torch.get_rng_state(),
        "set_rng_state": no_seed,
        "get_rng_state_all": lambda: [torch.get_rng_state()] * gpus,
        "set_rng_state_all": no_seed,
        "Stream": streams.Stream,
        "Event": streams.Event,
        "stream": streams.stream,
        "current_stream": streams.current_stream,
        "default_stream": streams.current_stream,
        "set_stream": lambda stream: None,
    }


def _replace(name: str, original: Any, value: Any) -> None:
    """Replace a function of ``torch.cuda`` in every module of torch.cuda that imported it."""
    setattr(torch.cuda, name, value)
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith("torch.cuda.") and module.__dict__.get(name) is original:
            setattr(module, name, value)


def _alone(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of its own for each name: torch's compiler refuses one under two names."""

    def replacement(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return replacement


def _storages(transfer: Transfer) -> None:
    """Let storages say where they are, and copy themselves there: no operator does that."""
    tags = transfer.tags

    def device(storage: torch.UntypedStorage) -> torch.device:
        index = tags.device_of_storage(storage)
        return storage_device(storage) if index is None else torch.device("cuda", index)

    def clone(storage: torch.UntypedStorage) -> Any:
        empty: Any = torch.UntypedStorage
        copy: Any = empty(storage.nbytes(), device=storage_device(storage)).copy_(storage)
        index = tags.device_of_storage(storage)
        if index is not None:
            tags.place(copy, index)
        return copy

    for name, value in {"device": property(device), "clone": clone}.items():
        setattr(torch.UntypedStorage, name, value)


def _accelerator(tags: Tags) -> None:
    accelerator = getattr(torch, "accelerator", None)
    if accelerator is None:  # torch < 2.6
        return
    board = tags.board

    def set_index(device: Any) -> None:
        board.current = streams.device_index(device)

    def synchronize(device: Any = None) -> None:
        torch.cuda.synchronize(device)

    for name, value in {
        "is_available": lambda: True,
        "device_count": lambda: len(board.devices),
        "current_accelerator": lambda check_available=False: torch.device("cuda"),
        "current_device_index": lambda: board.current,
        "set_device_index": set_index,
        "synchronize": synchronize,
        "current_stream": streams.current_stream,
        "empty_cache": tags.empty_cache,
        "get_memory_info": torch.cuda.mem_get_info,
    }.items():
        setattr(accelerator, name, value)
    for name in _SAME_IN_ACCELERATOR:
        setattr(accelerator, name, _alone(getattr(torch.cuda, name)))


def _autocast() -> None:
    original: Callable[..., None] = torch.amp.autocast_mode.autocast.__init__

    @wraps(original)
    def init(self: Any, device_type: str, dtype: Any = None, *args: Any, **kwargs: Any) -> None:
        if device_type == "cuda":
            device_type, dtype = "cpu", dtype or torch.float16
        original(self, device_type, dtype, *args, **kwargs)

    torch.amp.autocast_mode.autocast.__init__ = init  # type: ignore[method-assign]  # same signature


def _tagger(tags: Tags) -> Callable[[Any], str | None]:
    def location(storage: Any) -> str | None:
        index = tags.device_of_storage(getattr(storage, "_untyped_storage", storage))
        return None if index is None else f"cuda:{index}"

    return location


def _deserializer(transfer: Transfer) -> Callable[[Any, str], Any]:
    def restore(storage: Any, location: str) -> Any:
        if not location.startswith("cuda"):
            return None
        index = transfer.index_of(location)
        if index is None:
            return None
        transfer.tags.place(getattr(storage, "_untyped_storage", storage), index)
        return storage

    return restore
