"""The thread that looks at the figures while a cell runs."""

from __future__ import annotations

import threading
import time
from typing import Callable, Optional

FIRST_S = 1.0
WIDEST_S = 10.0
WIDENING = 30.0
"""A pause is this fraction of the cell's age: the server may have to keep all our messages."""


def pause_s(age_s: float) -> float:
    """Return how long to wait in a cell that has run for ``age_s`` seconds."""
    return min(WIDEST_S, max(FIRST_S, age_s / WIDENING))


class Sampler:
    """Call ``sample`` about once a second while a cell runs; asleep in between.

    The thread starts with the first cell, so that a kernel nobody uses has none.
    """

    def __init__(self, sample: Callable[[], None]) -> None:
        self._sample = sample
        self._changed = threading.Condition()
        self._began: Optional[float] = None
        self._stopped = False
        self._thread: Optional[threading.Thread] = None

    def cell_began(self) -> None:
        """Start sampling."""
        with self._changed:
            self._began = time.monotonic()
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="gpumem-sampler", daemon=True
                )
                self._thread.start()
            self._changed.notify()

    def cell_ended(self) -> None:
        """Stop sampling; the thread notices by itself, so that short cells do not pay for it."""
        with self._changed:
            self._began = None

    def stop(self) -> None:
        """End the thread for good."""
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def _run(self) -> None:
        while self._wait():
            self._sample()

    def _wait(self) -> bool:
        """Block until a sample is due; False to end."""
        with self._changed:
            while not self._stopped:
                began = self._began
                if began is None:
                    self._changed.wait()
                    continue
                self._changed.wait(pause_s(time.monotonic() - began))
                if began == self._began:
                    return not self._stopped
            return False
