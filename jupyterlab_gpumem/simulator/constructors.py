"""Functions that make tensors and cannot be left to the dispatch mode.

``torch.tensor`` and its kin touch the device before any operator runs, and for
``zeros_like(x, device="cpu")`` the mode cannot tell the user's CPU from the one torch fills in.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import _get_current_function_mode_stack
from torch.utils._device import DeviceContext

from .tags import HOST

if TYPE_CHECKING:
    from collections.abc import Callable

    from .transfer import Transfer

_FROM_DATA = ("tensor", "as_tensor", "asarray")
_LIKE = ("empty", "full", "ones", "rand", "randint", "randn", "zeros")
_NEW = ("new_empty", "new_empty_strided", "new_full", "new_ones", "new_zeros")


def install(transfer: Transfer) -> None:
    """Put the replacements in place."""
    for name in _FROM_DATA:
        setattr(torch, name, _from_data(transfer, getattr(torch, name)))
    for name in _LIKE:
        name = f"{name}_like"
        setattr(torch, name, _honouring_cpu(transfer, getattr(torch, name)))
    for name in _NEW:
        setattr(torch.Tensor, name, _honouring_cpu(transfer, getattr(torch.Tensor, name)))
    setattr(torch.Tensor, "new_tensor", _new_tensor)  # noqa: B010  # for mypy it is a method


def _from_data(transfer: Transfer, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def construct(data: Any, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        rest = [value for value in args if not isinstance(value, (str, torch.device))]
        device = kwargs.pop("device", None) or next((v for v in args if v not in rest), None)
        if isinstance(data, torch.Tensor):
            made = original(data, *rest, **kwargs)
            return made if device is None else transfer.to(made, device)
        if device is None:
            device = _default_device()
        index = HOST if device is None else transfer.index_of(device)
        if index is None:
            return original(data, *rest, device=device, **kwargs)
        if index == HOST:
            return original(data, *rest, device="cpu", **kwargs)
        wants_grad = kwargs.pop("requires_grad", False)
        made = transfer.copy(original(data, *rest, device="cpu", **kwargs), index, {})
        return made.requires_grad_(wants_grad)

    return construct


def _new_tensor(tensor: torch.Tensor, data: Any, **kwargs: Any) -> Any:
    kwargs["device"] = kwargs.get("device") or tensor.device
    return torch.tensor(data, dtype=kwargs.pop("dtype", None) or tensor.dtype, **kwargs)


def _honouring_cpu(transfer: Transfer, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def construct(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        device = kwargs.get("device")
        if device is None or transfer.index_of(device) != HOST:
            return original(*args, **kwargs)
        with transfer.tags.placing(HOST):
            return original(*args, **kwargs)

    return construct


def _default_device() -> torch.device | None:
    """Return the device of ``with torch.device(...)`` or ``set_default_device``."""
    modes: Any = _get_current_function_mode_stack()  # type: ignore[no-untyped-call]  # none there
    for mode in reversed(modes):
        if isinstance(mode, DeviceContext):
            return torch.device(mode.device)
    return None
