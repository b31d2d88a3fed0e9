"""The attributes and methods of ``torch.Tensor`` that tell or change where it is, over the tags."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

    from .tags import Tags
    from .transfer import Transfer


class TensorMethods:
    """Replacements for methods of ``torch.Tensor``; each takes the tensor first."""

    def __init__(self, transfer: Transfer) -> None:
        self._transfer = transfer
        self._tags: Tags = transfer.tags
        base: Any = torch.Tensor
        self._device, self._is_cpu = base.device, base.is_cpu
        self._numpy, self._type = base.numpy, base.type

    def install(self) -> None:
        """Put them in place of the originals."""
        for name in ("device", "is_cuda", "is_cpu"):
            setattr(torch.Tensor, name, property(getattr(self, name)))
        for name in ("get_device", "cuda", "cpu", "numpy", "type", "pin_memory"):
            setattr(torch.Tensor, name, _as_method(getattr(self, name)))
        torch.Tensor.to = _as_method(self._transfer.to)  # type: ignore[method-assign]  # same use

    def device(self, tensor: torch.Tensor) -> torch.device:
        """Return ``cuda:N`` for tagged tensors."""
        index = self._tags.device_of(tensor)
        if index is not None:
            return torch.device("cuda", index)
        device: torch.device = self._device.__get__(tensor)
        return device

    def is_cuda(self, tensor: torch.Tensor) -> bool:
        """Whether the tensor is on a simulated GPU."""
        return self._tags.device_of(tensor) is not None

    def is_cpu(self, tensor: torch.Tensor) -> bool:
        """Whether the tensor is on the host."""
        return self._tags.device_of(tensor) is None and bool(self._is_cpu.__get__(tensor))

    def get_device(self, tensor: torch.Tensor) -> int:
        """Return the index, -1 on the host."""
        return self._transfer.place_of(tensor)

    def cuda(self, tensor: torch.Tensor, device: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Move to a simulated GPU."""
        __tracebackhide__ = True
        kwargs.update(zip(("non_blocking",), args, strict=False))
        return self._transfer.to(tensor, "cuda" if device is None else device, **kwargs)

    def cpu(self, tensor: torch.Tensor, **kwargs: Any) -> Any:
        """Move to the host."""
        return self._transfer.to(tensor, "cpu", **kwargs)

    def numpy(self, tensor: torch.Tensor, *, force: bool = False) -> Any:
        """Refuse what no GPU can do."""
        index = self._tags.device_of(tensor)
        if index is not None and not force:
            raise TypeError(
                f"can't convert cuda:{index} device type tensor to numpy. Use Tensor.cpu() to copy "
                "the tensor to host memory first."
            )
        return self._numpy(self.cpu(tensor), force=force)

    def type(self, tensor: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        """Say or change the type, whose name has the device in it."""
        if not args and not kwargs:
            name = str(self._type(tensor))
            return name.replace("torch.", "torch.cuda.", 1) if self.is_cuda(tensor) else name
        if args and isinstance(args[0], str) and args[0].startswith("torch.cuda."):
            return self.cuda(self._type(tensor, args[0].replace("cuda.", "", 1)))
        return self._type(tensor, *args, **kwargs)

    def pin_memory(self, tensor: torch.Tensor, device: Any = None) -> torch.Tensor:
        """Return the tensor: without a driver there is nothing to pin to."""
        return tensor


def _as_method(function: Callable[..., Any]) -> Callable[..., Any]:
    """Turn a bound method into a plain function, which a class binds to its own instances."""

    @wraps(function)
    def method(tensor: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        return function(tensor, *args, **kwargs)

    return method
