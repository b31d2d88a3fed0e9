"""Questions to the system that may never be answered.

Most files below ``/proc/<pid>`` take a lock of that process. One that is stuck in a driver holds
it, and whoever reads waits as long. A daemon thread then waits alone, and holds up no exit.
"""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Errand(Generic[T]):
    """Do blocking work in a thread, one piece at a time, and wait for it only so long.

    Belongs to one event loop; ``last`` is what is known before the first answer.
    """

    def __init__(self, last: T, *, wait_s: float) -> None:
        self._last = last
        self._wait_s = wait_s
        self._asked_at = 0.0
        self._under_way: Future[T] | None = None
        self._turn = asyncio.Lock()

    async def do(self, work: Callable[[], T]) -> T:
        """Return what ``work`` gives, or the last answer if that takes too long."""
        async with self._turn:
            if self._under_way is None:
                self._asked_at = time.monotonic()
                self._under_way = _start(work)
            left = self._asked_at + self._wait_s - time.monotonic()
            if not self._under_way.done() and left > 0:
                await asyncio.wait([asyncio.wrap_future(self._under_way)], timeout=left)
            if self._under_way.done():
                answer, self._under_way = self._under_way, None
                self._last = answer.result()
            return self._last


def _start(work: Callable[[], T]) -> Future[T]:
    future: Future[T] = Future()
    # One who waits for it and goes away must not cancel it.
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(work())
        except Exception as error:  # noqa: BLE001  raised again where it is waited for
            future.set_exception(error)

    threading.Thread(target=run, name="gpumem-errand", daemon=True).start()
    return future
