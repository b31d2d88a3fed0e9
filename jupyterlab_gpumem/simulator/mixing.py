"""Refuse operations on tensors of different devices, as CUDA does.

Not every operator can be checked: torch makes CPU scratch tensors of its own for some of them.
Checked are operators that get none, and Python's own (``+``, ``@`` …), which only people write.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import torch

from .tags import HOST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .transfer import Transfer

aten = torch.ops.aten
CHECKED = {
    aten.addmm,
    aten.addmv,
    aten.addbmm,
    aten.baddbmm,
    aten.binary_cross_entropy,
    aten.binary_cross_entropy_with_logits,
    aten.bmm,
    aten.convolution,
    aten.dot,
    aten.embedding,
    aten.linear,
    aten.mm,
    aten.mse_loss,
    aten.mv,
    aten.native_batch_norm,
    aten.native_layer_norm,
    aten.nll_loss_forward,
}
_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "gt", "ge")
_METHODS = [
    *(f"__{name}__" for name in (*_OPERATORS, "matmul", "eq", "ne")),
    *(f"__i{name}__" for name in ("add", "sub", "mul", "truediv")),
]


def check(places: Sequence[int | None], tensors: Sequence[torch.Tensor]) -> None:
    """Raise :class:`RuntimeError` if the places differ; numbers may come from anywhere."""
    __tracebackhide__ = True
    where = {place for place, tensor in zip(places, tensors, strict=True) if tensor.dim() > 0}
    if len(where) > 1:
        # The GPUs first, as CUDA says it.
        first, second, *_ = sorted((_name(place) for place in where), reverse=True)
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{first} and {second}! (simulated GPU)"
        )


def install(transfer: Transfer) -> None:
    """Check the operands of Python's operators."""
    for name in _METHODS:
        setattr(torch.Tensor, name, _checked(transfer, getattr(torch.Tensor, name)))


def _checked(transfer: Transfer, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def operate(left: torch.Tensor, right: Any) -> Any:
        __tracebackhide__ = True
        if isinstance(right, torch.Tensor):
            check([transfer.place_of(left), transfer.place_of(right)], [left, right])
        return original(left, right)

    return operate


def _name(place: int | None) -> str:
    return "cpu" if place is None or place == HOST else f"cuda:{place}"
