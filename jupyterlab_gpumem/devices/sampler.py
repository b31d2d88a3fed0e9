"""One reading for any number of askers; a hung driver never stops the event loop."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from .lane import Lane
from .provider import Sweep
from .timing import Timing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .flight import Flight
    from .provider import Provider


class Sampler:
    """Read all providers at most once per interval, never on the event loop.

    Nothing is read unless somebody asks. The providers run in threads of their own, one each
    (why: see :mod:`.lane`); the methods belong to one event loop.
    """

    def __init__(
        self,
        providers: Sequence[Provider],
        *,
        interval_s: float = 2.0,
        timing: Timing | None = None,
        wait_s: float = 0.3,
        fresh_wait_s: float = 2.0,
        stop_wait_s: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        log: logging.Logger | None = None,
    ) -> None:
        log = log or logging.getLogger(__name__)
        self._wait_s = wait_s
        self._fresh_wait_s = fresh_wait_s
        self._stop_wait_s = stop_wait_s
        self._clock = clock
        self._lanes = [
            Lane(p, timing or Timing(), interval_s=interval_s, clock=clock, log=log)
            for p in providers
        ]
        self._last = Sweep()

    async def sweep(self, *, fresh: bool = False) -> Sweep:
        """Return the latest figures, reading what is older than the interval.

        Waits ``wait_s`` at most from the start of the reading, then answers with what there is.
        ``fresh`` waits longer, for a reading with process lists that started after the call.
        """
        wait_s = self._fresh_wait_s if fresh else self._wait_s
        flights = [flight for lane in self._lanes if (flight := lane.ask(fresh=fresh))]
        await asyncio.gather(*(self._wait(flight, wait_s) for flight in flights))
        return self.last()

    def last(self) -> Sweep:
        """Return the latest figures without reading any; ``seq`` grows whenever they changed."""
        views = [lane.look() for lane in self._lanes]
        now = Sweep(
            seq=self._last.seq,
            statuses=tuple(status for status, _ in views),
            readings=tuple(reading for _, readings in views for reading in readings),
        )
        if now != self._last:
            self._last = replace(now, seq=now.seq + 1)
        return self._last

    async def stop(self) -> None:
        """Close the providers; one that hangs is left behind in its daemon thread."""
        for lane in self._lanes:
            lane.stop()
        ended = [asyncio.wrap_future(lane.ended) for lane in self._lanes]
        if ended:
            await asyncio.wait(ended, timeout=self._stop_wait_s)

    async def _wait(self, flight: Flight, wait_s: float) -> None:
        left = flight.asked_at + wait_s - self._clock()
        if left > 0 and not flight.done.done():
            # Waited for, not awaited: a request that goes away must not cancel the others' reading.
            await asyncio.wait([asyncio.wrap_future(flight.done)], timeout=left)
