"""Streams and events of a GPU that does everything at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from types import TracebackType


def device_index(device: Any) -> int:
    """Return the index of what a user calls a device; None is the current one."""
    cuda: Any = torch.cuda
    index: int = cuda._get_device_index(device, optional=True)
    return index


class Stream:
    """A stream; all work on it is done when the call returns."""

    def __init__(self, device: Any = None, priority: int = 0, **_: Any) -> None:
        self.device = torch.device("cuda", device_index(device))
        self.device_index = self.device.index
        self.priority = priority
        self.cuda_stream = 0

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        return None

    def synchronize(self) -> None:
        """Wait for nothing."""

    def query(self) -> bool:
        """Return whether all work is done."""
        return True

    def is_capturing(self) -> bool:
        """Return False; there are no CUDA graphs."""
        return False

    def wait_event(self, event: Event) -> None:
        """Wait for nothing."""

    def wait_stream(self, stream: Stream) -> None:
        """Wait for nothing."""

    def record_event(self, event: Event | None = None) -> Event:
        """Record an event now."""
        event = event or Event()
        event.record(self)
        return event


class Event:
    """An event; it happens when it is recorded."""

    def __init__(self, enable_timing: bool = False, *_: Any, **__: Any) -> None:
        self._timed = enable_timing
        self._at: float | None = None

    def record(self, stream: Stream | None = None) -> None:
        """Note the time."""
        self._at = time.perf_counter()

    def wait(self, stream: Stream | None = None) -> None:
        """Wait for nothing."""

    def query(self) -> bool:
        """Return whether the event has happened."""
        return True

    def synchronize(self) -> None:
        """Wait for nothing."""

    def elapsed_time(self, end: Event) -> float:
        """Return the milliseconds between two recorded events."""
        if not (self._timed and end._timed):
            raise ValueError("both events need enable_timing=True")
        if self._at is None or end._at is None:
            raise ValueError("both events must be recorded first")
        return (end._at - self._at) * 1000


def current_stream(device: Any = None) -> Stream:
    """Return the only stream."""
    return Stream(device)


def stream(chosen: Stream | None) -> Any:
    """Return a context manager for a stream."""
    return chosen or Stream()
