"""Copies between the host and simulated GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from .tags import HOST

if TYPE_CHECKING:
    from .tags import Tags


class Transfer:
    """Move tensors; what ``Tensor.to``, ``cuda`` and ``cpu`` share."""

    def __init__(self, tags: Tags) -> None:
        self.tags = tags
        self._to: Any = torch.Tensor.to

    def place_of(self, tensor: torch.Tensor) -> int:
        """Return where a tensor is, :data:`HOST` included."""
        index = self.tags.device_of(tensor)
        return HOST if index is None else index

    def index_of(self, device: Any) -> int | None:
        """Return the place a device stands for, ``None`` for kinds that are not simulated."""
        if isinstance(device, int):
            return self.tags.board.check(device)
        device = torch.device(device)
        if device.type == "cpu":
            return HOST
        if device.type != "cuda":
            return None
        current = self.tags.board.current
        return current if device.index is None else self.tags.board.check(device.index)

    def to(self, tensor: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        """Do what ``Tensor.to`` does."""
        __tracebackhide__ = True
        device, options = _split_device(args, kwargs)
        index = None if device is None else self.index_of(device)
        if index is None:
            return self._to(tensor, *args, **kwargs)
        if index == self.place_of(tensor):
            return self._to(tensor, **options) if options else tensor
        options.pop("copy", None)
        if torch.is_grad_enabled() and tensor.requires_grad:
            return _to_copy(tensor, self, index, options)
        return self.copy(tensor, index, options)

    def copy(self, tensor: torch.Tensor, index: int, options: dict[str, Any]) -> Any:
        """Copy to a place, whether or not it is there already."""
        __tracebackhide__ = True
        with self.tags.placing(index):
            return self._to(tensor, "cpu", copy=True, **options)


class ToCopy(torch.autograd.Function):
    """A copy to another place; its gradient goes back to the place the tensor came from."""

    @staticmethod
    def forward(
        ctx: Any, tensor: torch.Tensor, transfer: Transfer, index: int, options: dict[str, Any]
    ) -> Any:
        """Copy there."""
        ctx.transfer, ctx.home, ctx.dtype = transfer, transfer.place_of(tensor), tensor.dtype
        return transfer.copy(tensor, index, options)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Copy home."""
        home = ctx.transfer.copy(grads[0], ctx.home, {"dtype": ctx.dtype})
        return home, None, None, None


_to_copy: Any = ToCopy.apply


def _split_device(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Split the arguments of ``Tensor.to`` into the device and the rest by name."""
    options, values = dict(kwargs), list(args)
    device, other = options.pop("device", None), options.pop("other", None)
    if values and isinstance(values[0], torch.Tensor):
        other = values.pop(0)
    elif values and not isinstance(values[0], torch.dtype):
        device = values.pop(0)
    if other is not None:
        device, options["dtype"] = other.device, other.dtype
    if values and not isinstance(values[0], bool):
        options["dtype"] = values.pop(0)
    options.update(zip(("non_blocking", "copy"), values, strict=False))
    if options.get("dtype") is None:
        options.pop("dtype", None)
    return device, options
