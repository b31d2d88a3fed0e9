"""One provider, read by one daemon thread of its own.

A thread per provider rather than one for all: a driver call that hangs must not stop the host's or
the simulated figures, and still no driver ever sees two threads of ours. A daemon thread rather
than an executor: an executor holds up the interpreter's exit for as long as the driver hangs.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from .flight import Flight, uncancellable
from .ledger import Ledger
from .provider import ProviderStatus, ProviderUnavailable

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable

    from jupyterlab_gpumem.wire import ProviderState

    from .provider import DeviceReading, Provider
    from .timing import Timing


class Lane:
    """Keep the latest reading of one provider; every method may be called from any thread."""

    def __init__(
        self,
        provider: Provider,
        timing: Timing,
        *,
        interval_s: float,
        clock: Callable[[], float],
        log: logging.Logger,
    ) -> None:
        self._provider = provider
        self._timing = timing
        self._interval_s = interval_s
        self._clock = clock
        self._log = log
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._queued: Flight | None = None
        self._running: Flight | None = None
        self._began_at = float("-inf")
        self._asked_at = float("-inf")
        self._not_before = float("-inf")
        self._failures = 0
        self._is_open = False
        self._stopping = False
        self._status = ProviderStatus(provider.name)
        self._logged = self._status
        self._ledger = Ledger(
            provider, list_interval_s=timing.list_interval_s, clock=clock, log=log
        )
        self.ended = uncancellable()

    def ask(self, *, fresh: bool = False) -> Flight | None:
        """Return the pass to wait for, or ``None`` if the latest reading has to do.

        ``fresh`` wants one that starts after this call, with process lists.
        """
        with self._changed:
            now = self._clock()
            self._asked_at = now
            if self._stopping or now < self._not_before or self._is_hung(now):
                return None
            if not fresh:
                if self._running or self._queued:
                    return self._running or self._queued
                if not self._failures and now - self._began_at < self._interval_s:
                    return None
            if self._queued is None:
                self._queued = Flight(now)
                self._start_thread()
                self._changed.notify()
            self._queued.with_lists |= fresh
            return self._queued

    def look(self) -> tuple[ProviderStatus, tuple[DeviceReading, ...]]:
        """Return what is known now, a running pass's part included."""
        with self._changed:
            status = self._status
            if self._is_hung(self._clock()):
                status = ProviderStatus(
                    status.name, "hung", "The driver does not answer.", "driver_hangs"
                )
                self._note(status)
            return status, self._ledger.readings()

    def stop(self) -> None:
        """Ask the thread to close the provider and end; ``ended`` tells when it has."""
        with self._changed:
            self._stopping = True
            if self._thread is None and not self.ended.done():
                self.ended.set_result(None)
            self._changed.notify()

    def _is_hung(self, now: float) -> bool:
        # A pass that does not get its turn waits for a provider that hangs while it closes.
        if self._running:
            return now - self._began_at > self._timing.hung_after_s
        return self._queued is not None and now - self._queued.asked_at > self._timing.hung_after_s

    def _start_thread(self) -> None:
        if self._thread is None:
            name = f"gpumem-{self._provider.name}"
            self._thread = threading.Thread(target=self._run, daemon=True, name=name)
            self._thread.start()

    def _run(self) -> None:
        while flight := self._take():
            try:
                self._pass(flight)
                failure = None
            except Exception as error:  # noqa: BLE001 - the border: becomes the provider's state
                failure = error
            self._finish(flight, failure)
        self._close()
        self.ended.set_result(None)

    def _take(self) -> Flight | None:
        """Wait for the next pass, closing the provider when nobody has asked for long."""
        while True:
            with self._changed:
                if self._stopping:
                    return None
                if self._queued:
                    self._running, self._queued = self._queued, None
                    self._began_at = self._clock()
                    return self._running
                idle_left = None
                if self._is_open:
                    idle_left = self._asked_at + self._timing.close_after_s - self._clock()
                if idle_left is None or idle_left > 0:
                    self._changed.wait(idle_left)
                    continue
            self._close()

    def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._provider.close()

    def _pass(self, flight: Flight) -> None:
        if not self._is_open:
            # Set first: what a failing open has opened is closed as well.
            self._is_open = True
            self._provider.open()
        self._ledger.fill(with_lists=flight.with_lists)

    def _finish(self, flight: Flight, failure: Exception | None) -> None:
        if failure:
            self._close()
        with self._changed:
            self._running = None
            if failure:
                self._fail(failure)
            else:
                self._failures = 0
                state: ProviderState = "ok" if self._ledger.readings() else "no_devices"
                self._status = ProviderStatus(self._provider.name, state)
            self._note(self._status)
        flight.done.set_result(None)

    def _fail(self, failure: Exception) -> None:
        # Whether a GPU still sleeps is free to ask, and it may wake at any time.
        if not (isinstance(failure, ProviderUnavailable) and failure.state == "asleep"):
            waits = self._timing.retry_waits_s
            self._not_before = self._clock() + waits[min(self._failures, len(waits) - 1)]
            self._failures += 1
        if not isinstance(failure, ProviderUnavailable):
            text = f"{type(failure).__name__}: {failure}"
            failure = ProviderUnavailable("error", text, "report_bug")
        if failure.state != "hung":
            # A driver that does not answer says nothing about its GPUs: the old figures grow old.
            self._ledger.clear()
        self._status = ProviderStatus(
            self._provider.name, failure.state, failure.detail, failure.hint
        )

    def _note(self, status: ProviderStatus) -> None:
        """Log a change of state, once."""
        if status.state != self._logged.state:
            self._logged = status
            quiet = status.state in ("ok", "no_library", "no_devices", "asleep", "off")
            report = self._log.info if quiet else self._log.warning
            report("GPU provider %s: %s. %s", status.name, status.state, status.detail)
