"""See every operator of torch, so that results land where their inputs are.

A dispatch mode is set per thread: the main thread's is entered at install, others get theirs when
they start.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode_stack

from . import mixing
from .tags import HOST, storage_device, storage_of

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterator, Sequence

    from .tags import Tags


class PlacingMode(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch's own hook
    """Run operators on the CPU and tag what they return."""

    def __init__(self, tags: Tags) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch has no types here
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
        inputs = list(tensors_in((args, kwargs)))
        found = self._device_of_inputs(func, inputs)
        try:
            result = func(*args, **kwargs)
        except RuntimeError as error:
            if "DefaultCPUAllocator" not in str(error) or (index is None and found is None):
                raise
            raise torch.cuda.OutOfMemoryError(
                "CUDA out of memory. Tried to allocate more than the memory of this computer, "
                "which backs the simulated GPU (jupyterlab_gpumem.simulator)."
            ) from None
        if index is None:
            index = found if self._tags.wish is None else self._tags.wish
        if index is None or index == HOST:
            return result
        try:
            self._tag_results(result, inputs, index)
        except torch.cuda.OutOfMemoryError as error:
            # The traceback keeps its frames: they must not hold more than the user's own do.
            del result, inputs, args, kwargs
            raise error.with_traceback(None)  # noqa: B904  # it is the same error
        return result

    def _take_device(self, kwargs: dict[str, Any]) -> int | None:
        # There is no pinned memory either on a machine without CUDA.
        if kwargs.get("pin_memory"):
            kwargs["pin_memory"] = False
        device = kwargs.get("device")
        if device is None or torch.device(device).type != "cuda":
            return None
        kwargs["device"] = torch.device("cpu")
        index: int | None = torch.device(device).index
        return self._tags.board.current if index is None else index

    def _device_of_inputs(self, func: Any, inputs: Sequence[torch.Tensor]) -> int | None:
        __tracebackhide__ = True
        places = [self._tags.device_of(tensor) for tensor in inputs]
        found = next((place for place in places if place is not None), None)
        if found is not None and getattr(func, "overloadpacket", None) in mixing.CHECKED:
            mixing.check(places, inputs)
        return found

    def _tag_results(self, result: Any, inputs: Sequence[torch.Tensor], index: int) -> None:
        __tracebackhide__ = True
        before = {
            storage._cdata for tensor in inputs if (storage := storage_of(tensor)) is not None
        }
        for tensor in tensors_in(result):
            storage = storage_of(tensor)
            if storage is None or storage_device(storage).type != "cpu":
                continue
            # Views stay where their base is. A tagged input is looked at again: it can be resized.
            if storage._cdata not in before or self._tags.device_of(tensor) is not None:
                self._tags.place(storage, index)


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    """Walk through arguments or results; the pytrees of torch take ten times as long."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from tensors_in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from tensors_in(item)


def is_entered() -> bool:
    """Whether the calling thread has the mode."""
    return any(isinstance(mode, PlacingMode) for mode in _get_current_dispatch_mode_stack())


def enter(tags: Tags) -> None:
    """Give the calling thread the mode for good, unless it has it."""
    if not is_entered():
        PlacingMode(tags).__enter__()  # type: ignore[no-untyped-call]  # torch has no types here


def starting_threads_with(tags: Tags, start: Callable[..., None]) -> Callable[..., None]:
    """Wrap ``Thread.start`` so that the new thread has the mode too."""

    @wraps(start)
    def start_with_mode(thread: threading.Thread) -> None:
        run = thread.run

        def run_with_mode() -> None:
            del thread.run  # uncovers the class's own method
            enter(tags)
            run()

        thread.run = run_with_mode  # type: ignore[method-assign]  # reaches overridden run() too
        try:
            start(thread)
        except BaseException:
            thread.__dict__.pop("run", None)
            raise

    return start_with_mode
