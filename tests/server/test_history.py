"""The figures of the last minutes, from made-up snapshots."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyterlab_gpumem.server.history import MAX_POINTS, MAX_SERIES, HistoryRing
from tests.kernels import check_contract

if TYPE_CHECKING:
    from jupyterlab_gpumem.wire import History, Snapshot

EXAMPLE = Path(__file__).parents[2] / "contract" / "examples" / "snapshot-two-gpus.json"
START_MS = 1_767_225_600_000


def snapshot(at_s: float, *, used: int | None = 1, kernels: bool = True) -> Snapshot:
    value: Any = copy.deepcopy(json.loads(EXAMPLE.read_text())["value"])
    value["taken_at_ms"] = START_MS + round(at_s * 1000)
    for device in value["devices"]:
        device["memory"]["used_bytes"] = used
    if not kernels:
        value["kernels"] = []
    made: Snapshot = value
    return made


def ring(*, span_s: float = 60, interval_s: float = 2) -> HistoryRing:
    return HistoryRing(span_s=span_s, interval_s=interval_s)


def device_points(history: History) -> list[tuple[float | None, int | None]]:
    check_contract(history, "History")
    points = history["devices"][0]["points"]
    return [(None if t is None else (t - START_MS) / 1000, used) for t, used in points]


def test_each_snapshot_becomes_a_point_of_every_device_and_kernel() -> None:
    kept = ring()
    kept.record(snapshot(0, used=5))
    kept.record(snapshot(2, used=None))
    assert device_points(kept.since()) == [(0, 5), (2, None)]
    first = snapshot(0)["kernels"][0]
    series = next(s for s in kept.since()["kernels"] if s["id"] == first["id"])
    figures = first["devices"][0]
    sizes = [figures["used_bytes"], figures["allocated_bytes"], figures["reserved_bytes"]]
    assert series["key"] == figures["key"]
    assert series["points"][0] == [START_MS, *sizes]


def test_only_what_is_newer_than_asked_for_is_sent() -> None:
    kept = ring()
    for at_s in (0, 2, 4):
        kept.record(snapshot(at_s))
    assert [t for t, _ in device_points(kept.since(START_MS + 2000))] == [4]


def test_a_client_that_asks_from_the_last_answer_on_misses_nothing() -> None:
    kept = ring()
    kept.record(snapshot(0))
    # The answer bears the time of this machine, which is far beyond the made-up points.
    answered = kept.since()["taken_at_ms"]
    kept.record(snapshot(2))
    newer = kept.since(answered)["devices"][0]["points"]
    assert [t for (t, _) in newer] == [answered + 1]


def test_snapshots_within_an_interval_make_one_point() -> None:
    kept = ring(interval_s=2)
    for at_s in (0, 0.1, 0.9, 2.1):
        kept.record(snapshot(at_s))
    assert [t for t, _ in device_points(kept.since())] == [0, 2.1]


def test_of_a_long_span_at_a_short_interval_fewer_points_are_kept() -> None:
    kept = ring(span_s=3600, interval_s=0.5)
    one = snapshot(0, kernels=False)
    for _ in range(7200):
        kept.record(one)
        one["taken_at_ms"] += 500
    points = device_points(kept.since())
    assert len(points) <= MAX_POINTS + 1
    assert points[0][0] is not None
    assert points[0][0] < 10
    assert kept.since()["interval_ms"] == 4000


def test_figures_that_are_stale_are_a_gap() -> None:
    kept = ring()
    old = snapshot(0, used=7)
    old["devices"][0]["stale"] = True
    kept.record(old)
    assert device_points(kept.since()) == [(0, None)]


def test_what_is_older_than_the_span_is_gone() -> None:
    kept = ring(span_s=10)
    for at_s in range(0, 40, 2):
        kept.record(snapshot(at_s))
    assert [t for t, _ in device_points(kept.since())] == [30, 32, 34, 36, 38]


def test_a_device_that_is_gone_is_kept_for_the_span_and_not_longer() -> None:
    kept = ring(span_s=10)
    kept.record(snapshot(0))
    gone = snapshot(2)
    lost = gone["devices"].pop(0)["key"]
    kept.record(gone)
    assert lost in [series["key"] for series in kept.since()["devices"]]
    gone["taken_at_ms"] += 20_000
    kept.record(gone)
    assert lost not in [series["key"] for series in kept.since()["devices"]]


def test_the_series_of_a_kernel_end_with_it() -> None:
    kept = ring()
    kept.record(snapshot(0))
    assert kept.since()["kernels"]
    kept.record(snapshot(2, kernels=False))
    assert kept.since()["kernels"] == []


def test_a_kernel_that_makes_up_devices_cannot_fill_the_memory() -> None:
    kept = ring()
    hostile = snapshot(0)
    [figures] = hostile["kernels"][0]["devices"][:1]
    hostile["kernels"][0]["devices"] = [
        {**figures, "key": f"kernel:{n}"} for n in range(MAX_SERIES + 50)
    ]
    kept.record(hostile)
    history = kept.since()
    assert len(history["devices"]) + len(history["kernels"]) == MAX_SERIES
    assert len(history["devices"]) == len(hostile["devices"])


def test_a_span_of_nothing_keeps_nothing() -> None:
    kept = ring(span_s=0)
    kept.record(snapshot(0))
    assert kept.since()["devices"] == []
