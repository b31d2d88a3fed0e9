"""See every operator of torch, so that results land where their inputs are.

A dispatch mode is set per thread: the main thread's is entered at install, others get theirs when they start.
"""

from __future__ import annotations

import threading
from functools import wraps
from typing import TYPE_CHECKING, Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode_stack
from torch.utils._pytree import tree_leaves

from .tags import HOST, storage_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .tags import Tags

aten = torch.ops.aten
_ONE_DEVICE_ONLY = {
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
"""Operators that never mix devices on real hardware, nor get CPU scratch tensors from torch itself."""


class PlacingMode(TorchDispatchMode):
    """Run operators on the CPU and tag what they return."""

    def __init__(self, tags: Tags) -> None:
        super().__init__()
        self._tags = tags

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        # True would import the whole compiler at the first operator.
        return False

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run one operator."""
        __tracebackhide__ = True
        kwargs = dict(kwargs or {})
        index = self._take_device(kwargs)
        inputs = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        found = self._device_of_inputs(func, inputs)
        try:
            result = func(*args, **kwargs)
        except RuntimeError as error:
            if "DefaultCPUAllocator" not in str(error) or (index is None and found is None):
                raise
            raise torch.cuda.OutOfMemoryError(
                "CUDA out of memory. The host has no memory to back the simulated GPU "
                "(jupyterlab_gpumem.simulator); use a smaller scale of tensors."
            ) from None
        if index is None:
            index = found if self._tags.wish is None else self._tags.wish
        if index is None or index == HOST:
            return result
        try:
            self._tag_results(result, inputs, index)
        except BaseException:
            # The traceback keeps this frame: it must not hold more than the user's own frames do.
            del result, inputs, args, kwargs
            raise
        return result

    def _take_device(self, kwargs: dict[str, Any]) -> int | None:
        # There is no pinned memory either on a machine without CUDA.
        if kwargs.get("pin_memory"):
            kwargs["pin_memory"] = False
        device = kwargs.get("device")
        if device is None or torch.device(device).type != "cuda":
            return None
        kwargs["device"] = torch.device("cpu")
        index = torch.device(device).index
        return self._tags.board.current if index is None else index

    def _device_of_inputs(self, func: Any, inputs: Sequence[torch.Tensor]) -> int | None:
        places = [self._tags.device_of(tensor) for tensor in inputs]
        found = next((place for place in places if place is not None), None)
        if found is not None and getattr(func, "overloadpacket", None) in _ONE_DEVICE_ONLY:
            for place, tensor in zip(places, inputs, strict=True):
                if place != found and tensor.dim() > 0:
                    other = "cpu" if place is None else f"cuda:{place}"
                    raise RuntimeError(
                        "Expected all tensors to be on the same device, but found at least two "
                        f"devices, cuda:{found} and {other}! (simulated GPU, in {func})"
                    )
        return found

    def _tag_results(self, result: Any, inputs: Sequence[torch.Tensor], index: int) -> None:
        __tracebackhide__ = True
        given = {id(tensor) for tensor in inputs}
        before = {storage._cdata for t in inputs if (storage := storage_of(t)) is not None}
        for tensor in tree_leaves(result):
            if not isinstance(tensor, torch.Tensor):
                continue
            storage = storage_of(tensor)
            if storage is None or storage.device.type != "cpu":
                continue
            # A view of an input stays where it is; an input that is returned may have been resized.
            is_view = storage._cdata in before and id(tensor) not in given
            if is_view or (id(tensor) in given and self._tags.device_of(tensor) is None):
                continue
            self._tags.place(storage, index)


def is_entered() -> bool:
    """Whether the calling thread has the mode."""
    return any(isinstance(mode, PlacingMode) for mode in _get_current_dispatch_mode_stack())


def enter(tags: Tags) -> None:
    """Give the calling thread the mode for good, unless it has it."""
    if not is_entered():
        PlacingMode(tags).__enter__()


def starting_threads_with(tags: Tags, start: Callable[..., None]) -> Callable[..., None]:
    """Wrap ``Thread.start`` so that the new thread has the mode too."""

    @wraps(start)
    def start_with_mode(thread: threading.Thread) -> None:
        run = thread.run

        def run_with_mode() -> None:
            del thread.run  # type: ignore[method-assign]  # uncovers the class's own method
            enter(tags)
            run()

        thread.run = run_with_mode  # type: ignore[method-assign]  # reaches overridden run() too
        try:
            start(thread)
        except BaseException:
            thread.__dict__.pop("run", None)
            raise

    return start_with_mode
