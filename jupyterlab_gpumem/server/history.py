"""The figures of the last minutes, kept while somebody looks, so that a page can be reloaded."""

from __future__ import annotations

import math
import time
from collections import deque
from typing import TYPE_CHECKING, Literal

from ..wire import WIRE_VERSION

if TYPE_CHECKING:
    from ..wire import DeviceSeries, History, KernelSeries, Snapshot

KERNEL_SIZES: tuple[Literal["used_bytes", "allocated_bytes", "reserved_bytes"], ...] = (
    "used_bytes",
    "allocated_bytes",
    "reserved_bytes",
)
MAX_POINTS = 900
"""More than a curve in a side bar has pixels."""
MAX_SERIES = 256
"""A kernel can make up devices at will; real ones are a handful for each kernel."""

_Point = tuple[int, tuple[int | None, ...]]
"""Time, and the sizes at that time."""
_Key = tuple[str | None, str]
"""Kernel id, None for the device itself, and the device's key."""


class HistoryRing:
    """Keep the sizes of each snapshot for ``span_s`` seconds, at most one point per interval.

    Nothing is read for it: where nobody looked there is a gap. A series takes 0.1 MB by default and
    0.25 MB at most: of a long span at a short interval fewer points are kept.
    """

    def __init__(self, *, span_s: float, interval_s: float) -> None:
        self._span_ms = round(span_s * 1000)
        step_s = max(interval_s, span_s / MAX_POINTS)
        self._interval_ms = round(step_s * 1000)
        # Timers are not exact: what comes a little early belongs to the next step already.
        self._spacing_ms = round((step_s - interval_s / 2) * 1000)
        self._capacity = math.ceil(span_s / step_s) + 1
        self._series: dict[_Key, deque[_Point]] = {}
        self._last_ms = 0
        self._answered_ms = 0

    def record(self, snapshot: Snapshot) -> None:
        """Keep what a snapshot says, unless the last one that was kept is too young."""
        now_ms = snapshot["taken_at_ms"]
        if not self._span_ms or 0 <= now_ms - self._last_ms < self._spacing_ms:
            return
        # Later than any answer, or a client that asks for what is newer would never get it.
        self._last_ms = now_ms = max(now_ms, self._answered_ms + 1)
        self._expire(now_ms, {kernel["id"] for kernel in snapshot["kernels"]})
        for device in snapshot["devices"]:
            used = None if device["stale"] else device["memory"]["used_bytes"]
            self._append((None, device["key"]), (now_ms, (used,)))
        for kernel in snapshot["kernels"]:
            for figures in kernel["devices"]:
                sizes = tuple(figures[name] for name in KERNEL_SIZES)
                self._append((kernel["id"], figures["key"]), (now_ms, sizes))

    def since(self, since_ms: int | None = None) -> History:
        """Return all points, or those later than ``since_ms``."""
        self._answered_ms = max(self._last_ms, int(time.time() * 1000))
        oldest_ms = max(since_ms or 0, self._last_ms - self._span_ms)
        devices: list[DeviceSeries] = []
        kernels: list[KernelSeries] = []
        for (kernel_id, key), series in self._series.items():
            points = [[at_ms, *sizes] for at_ms, sizes in series if at_ms > oldest_ms]
            if kernel_id is None:
                devices.append({"key": key, "points": points})
            else:
                kernels.append({"id": kernel_id, "key": key, "points": points})
        return {
            "wire_version": WIRE_VERSION,
            "taken_at_ms": self._answered_ms,
            "interval_ms": self._interval_ms,
            "devices": devices,
            "kernels": kernels,
        }

    def _append(self, key: _Key, point: _Point) -> None:
        series = self._series.get(key)
        if series is None:
            if len(self._series) >= MAX_SERIES:
                return
            series = self._series[key] = deque(maxlen=self._capacity)
        series.append(point)

    def _expire(self, now_ms: int, kernel_ids: set[str]) -> None:
        """Drop the series of kernels that have ended, and those without a point in the span."""
        self._series = {
            (kernel_id, key): series
            for (kernel_id, key), series in self._series.items()
            if (kernel_id is None or kernel_id in kernel_ids)
            and now_ms - series[-1][0] < self._span_ms
        }
