"""Memory is put down to kernels: by process, and by what the kernels report themselves."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.provider import (
    DeviceInfo,
    DeviceReading,
    DeviceSample,
    ProcessEntry,
)
from jupyterlab_gpumem.server.attribution import attribute, without_others
from jupyterlab_gpumem.server.kernels.owners import Owner

from .reports import GIB, KERNEL, allocator, joined, only, reading

if TYPE_CHECKING:
    from jupyterlab_gpumem.wire import Allocator


def test_a_kernels_context_is_what_the_driver_counts_beyond_the_allocator() -> None:
    device = reading("aaaa", ProcessEntry(1, 4 * GIB))
    mine = only(joined([device], allocator("aaaa"), owners={1: KERNEL}))
    assert mine["key"] == "nvml:aaaa"
    assert (mine["used_bytes"], mine["used_source"]) == (4 * GIB, "driver")
    assert mine["context_bytes"] == GIB


def test_a_kernels_children_count_for_it() -> None:
    device = reading("aaaa", ProcessEntry(1, GIB), ProcessEntry(2, GIB))
    owners = {1: KERNEL, 2: Owner("k1", "python", "child")}
    mine = only(joined([device], owners=owners))
    assert mine["used_bytes"] == 2 * GIB
    assert mine["context_bytes"] is None


def test_a_kernel_without_device_memory_is_shown_without_devices() -> None:
    device = reading("aaaa", ProcessEntry(1, GIB))
    assert joined([device], owners={1: Owner("other")}).kernels["k1"] == []


def test_a_device_that_no_provider_sees_is_shown_by_what_the_kernel_reports() -> None:
    shown = joined([], allocator("bbbb"))
    [device] = shown.devices
    assert (device["key"], device["provider"], device["kind"]) == (
        "kernel:bbbb",
        "kernel",
        "dedicated",
    )
    assert device["memory"]["total_bytes"] == 24 * GIB
    assert device["memory"]["used_bytes"] == 3 * GIB
    assert device["memory"]["free_bytes"] is None
    assert device["processes"] is None
    mine = only(shown)
    assert (mine["used_bytes"], mine["used_source"]) == (3 * GIB, "kernel")


def test_the_gpu_of_a_mac_is_one_device_for_all_kernels() -> None:
    apple: Allocator = {**allocator("mps"), "name": "Apple GPU"}
    shown = attribute([], {}, {"k1": [apple], "k2": [apple]}, believed=set(), interval_s=2)
    [device] = shown.devices
    assert (device["key"], device["kind"]) == ("kernel:mps", "unified")
    assert device["memory"]["used_bytes"] == 6 * GIB


@pytest.mark.parametrize(
    ("entries", "listed"),
    [
        ((), True),
        ((ProcessEntry(1, None),), True),
        ((ProcessEntry(1, 0),), True),
        ((), False),
    ],
    ids=["not listed", "size unknown", "size 0", "no list"],
)
def test_where_the_driver_cannot_say_the_kernels_own_report_stands_in(
    entries: tuple[ProcessEntry, ...], listed: bool
) -> None:
    device = reading("aaaa", *entries, listed=listed)
    shown = joined([device], allocator("aaaa"), owners={1: KERNEL})
    mine = only(shown)
    assert (mine["used_bytes"], mine["used_source"]) == (3 * GIB, "kernel")
    # What goes beyond the allocator is not known then, which is not nothing.
    assert mine["context_bytes"] is None


def test_what_a_kernel_reports_is_not_counted_among_the_unattributed_too() -> None:
    shown = joined([reading("aaaa", used=10 * GIB)], allocator("aaaa"))
    assert shown.devices[0]["unattributed_bytes"] == 7 * GIB


def test_a_number_that_may_be_a_strangers_is_put_down_to_nobody() -> None:
    device = reading("aaaa", ProcessEntry(1, 4 * GIB), used=5 * GIB)
    shown = joined([device], allocator("aaaa"), owners={1: KERNEL}, believed=[])
    [process] = shown.devices[0]["processes"] or []
    assert (process["relation"], process["kernel_id"]) == ("unknown", None)
    assert process["name"] is None
    mine = only(shown)
    assert (mine["used_bytes"], mine["used_source"]) == (3 * GIB, "kernel")
    # 5 used: 3 the kernel's by its own word, so that at most 2 of the process's 4 are others'.
    assert shown.devices[0]["other_bytes"] == 2 * GIB
    assert shown.devices[0]["unattributed_bytes"] == 0


def test_numbers_that_were_found_in_the_system_itself_need_no_proof() -> None:
    info = DeviceInfo("host:memory", "host", "Machine memory")
    sample = DeviceSample(total_bytes=24 * GIB, used_bytes=GIB)
    host = DeviceReading(info, sample, time.monotonic(), (ProcessEntry(1, GIB, "host"),))
    shown = joined([host], owners={1: KERNEL}, believed=[])
    assert only(shown)["used_bytes"] == GIB


def test_without_others_only_their_sum_is_left() -> None:
    entries = [ProcessEntry(pid, GIB) for pid in (1, 2, 3, 4)]
    owners = {
        1: KERNEL,
        2: Owner("k1", "python", "child"),
        3: Owner(None, "python", "orphan"),
        4: Owner(None, "train.py", "other"),
    }
    device = joined([reading("aaaa", *entries)], owners=owners).devices[0]
    hidden = without_others(device)
    assert [p["pid"] for p in hidden["processes"] or []] == [1, 2, 3]
    assert hidden["other_bytes"] == device["other_bytes"] == 2 * GIB
