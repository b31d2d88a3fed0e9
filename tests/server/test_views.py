"""Devices and kernels as they go on the wire."""

from __future__ import annotations

import time
from typing import Any

import pytest

from jupyterlab_gpumem.devices.provider import (
    DeviceInfo,
    DeviceReading,
    DeviceSample,
    ProcessEntry,
)
from jupyterlab_gpumem.server.kernels.owners import Owner
from jupyterlab_gpumem.server.views import device_view, document

GIB = 2**30
INFO = DeviceInfo(key="nvml:aaaa", kind="dedicated", name="A GPU", index=0)


def reading(
    *processes: ProcessEntry, used: int | None = 10 * GIB, age_s: float = 0
) -> DeviceReading:
    sample = DeviceSample(total_bytes=24 * GIB, used_bytes=used, free_bytes=14 * GIB)
    return DeviceReading(INFO, sample, time.monotonic() - age_s, processes)


def test_memory_is_divided_between_kernels_others_and_the_rest() -> None:
    owners = {1: Owner("k1", "python"), 2: Owner("k1", "python"), 3: Owner(None, None)}
    processes = (ProcessEntry(1, 4 * GIB), ProcessEntry(2, GIB), ProcessEntry(3, 2 * GIB))
    shown = device_view(reading(*processes), owners, interval_s=2)
    assert shown["other_bytes"] == 2 * GIB
    assert shown["unattributed_bytes"] == 3 * GIB
    assert [p["kernel_id"] for p in shown["processes"] or []] == ["k1", "k1", None]


def test_more_in_processes_than_used_leaves_nothing_unattributed() -> None:
    shown = device_view(reading(ProcessEntry(1, 12 * GIB)), {}, interval_s=2)
    assert shown["unattributed_bytes"] == 0


def test_processes_that_cannot_be_listed_stay_unknown() -> None:
    unlisted = DeviceReading(INFO, DeviceSample(used_bytes=GIB), time.monotonic(), None)
    shown = device_view(unlisted, {}, interval_s=2)
    assert shown["processes"] is None
    assert shown["other_bytes"] is None
    assert shown["unattributed_bytes"] is None


def test_the_sum_with_a_process_of_unknown_size_is_unknown() -> None:
    processes = (ProcessEntry(1, None), ProcessEntry(2, GIB))
    shown = device_view(reading(*processes), {}, interval_s=2)
    assert shown["other_bytes"] is None


@pytest.mark.parametrize(("age_s", "stale"), [(1.0, False), (7.0, True)])
def test_figures_older_than_three_intervals_are_stale(age_s: float, stale: bool) -> None:
    shown = device_view(reading(age_s=age_s), {}, interval_s=2)
    assert shown["stale"] is stale
    assert shown["age_ms"] is not None
    assert shown["age_ms"] >= age_s * 1000


def test_a_device_never_read_is_stale_and_of_unknown_age() -> None:
    shown = device_view(DeviceReading(INFO), {}, interval_s=2)
    assert (shown["stale"], shown["age_ms"]) == (True, None)
    assert shown["memory"]["used_bytes"] is None


@pytest.mark.parametrize(
    ("sessions", "expected"),
    [
        ([], (None, None, None)),
        (
            [{"type": "console", "path": "c-1", "name": "Console 1"}],
            ("c-1", "Console 1", "console"),
        ),
        (
            [
                {"type": "console", "path": "c-1", "name": "Console 1"},
                {"type": "notebook", "path": "dir/train.ipynb", "name": ""},
            ],
            ("dir/train.ipynb", "train.ipynb", "notebook"),
        ),
    ],
)
def test_a_kernel_is_named_by_its_notebook_before_its_console(
    sessions: list[dict[str, Any]], expected: tuple[str | None, str | None, str | None]
) -> None:
    assert document(sessions) == expected
