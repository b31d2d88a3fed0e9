"""The latest readings of one provider, and when its costly process lists are due."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from .provider import DeviceReading

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable

    from .provider import DeviceInfo, Provider

LIST_COST_SHARE = 20
"""Process lists hold the driver's one lock: they may take a twentieth of the time at most."""


class Ledger:
    """Fill in readings one by one in the provider's thread, so that others see a part of a pass."""

    def __init__(
        self,
        provider: Provider,
        *,
        list_interval_s: float,
        clock: Callable[[], float],
        log: logging.Logger,
    ) -> None:
        self._provider = provider
        self._list_interval_s = list_interval_s
        self._clock = clock
        self._log = log
        self._lock = threading.Lock()
        self._readings: dict[str, DeviceReading] = {}
        self._listed: set[str] = set()
        self._lists_not_before = float("-inf")

    def readings(self) -> tuple[DeviceReading, ...]:
        """Return what is known now; for any thread."""
        with self._lock:
            return tuple(self._readings.values())

    def clear(self) -> None:
        """Forget all readings."""
        self._listed = set()
        with self._lock:
            self._readings = {}

    def fill(self, *, with_lists: bool) -> None:
        """Read all devices once, memory first, and lists if they are due or asked for."""
        infos = self._provider.devices()
        for info in infos:
            self._sample(info)
        with self._lock:
            self._readings = {info.key: self._readings[info.key] for info in infos}
        self._listed &= self._readings.keys()
        began = self._clock()
        due = with_lists or began >= self._lists_not_before
        for info in infos:
            if due or info.key not in self._listed:
                self._list(info)
        if due:
            cost = self._clock() - began
            self._lists_not_before = began + max(self._list_interval_s, LIST_COST_SHARE * cost)

    def _sample(self, info: DeviceInfo) -> None:
        sample = self._provider.sample(info)
        old = self._readings.get(info.key, DeviceReading(info))
        before = old.sample.state if old.sample else "ok"
        if before != sample.state:
            self._log.warning("%s (%s): %s", info.name, info.key, sample.state)
        new = replace(old, info=info, sample=sample, sampled_at=self._clock())
        with self._lock:
            self._readings[info.key] = new

    def _list(self, info: DeviceInfo) -> None:
        found = self._provider.processes(info)
        processes = None if found is None else tuple(found)
        with self._lock:
            self._readings[info.key] = replace(self._readings[info.key], processes=processes)
        self._listed.add(info.key)
