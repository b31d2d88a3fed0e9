"""Memory is put down to kernels: by process, and by what the kernels report themselves."""

from __future__ import annotations

import asyncio
import itertools
import time
from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.provider import (
    DeviceInfo,
    DeviceReading,
    DeviceSample,
    ProcessEntry,
)
from jupyterlab_gpumem.server.attribution import Attribution, attribute, without_others
from jupyterlab_gpumem.server.attributor import Attributor
from jupyterlab_gpumem.server.kernels.owners import Owner
from tests.kernels import check_contract

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jupyterlab_gpumem.wire import Allocator, KernelDevice

GIB = 2**30
KERNEL = Owner("k1", "python", "kernel")


def reading(
    uuid: str,
    *processes: ProcessEntry,
    used: int | None = 10 * GIB,
    pci: str | None = None,
    parent: str | None = None,
    listed: bool = True,
) -> DeviceReading:
    info = DeviceInfo(
        f"nvml:{uuid}",
        "mig" if parent else "dedicated",
        "A GPU",
        parent_key=f"nvml:{parent}" if parent else None,
        pci=pci,
    )
    sample = DeviceSample(total_bytes=24 * GIB, used_bytes=used)
    return DeviceReading(info, sample, time.monotonic(), processes if listed else None)


def allocator(
    uuid: str | None, *, index: int = 0, pci: str | None = None, reserved: int = 3 * GIB
) -> Allocator:
    return {
        "index": index,
        "uuid": uuid,
        "pci": pci,
        "name": "A GPU",
        "total_bytes": 24 * GIB,
        "allocated_bytes": 2 * GIB,
        "reserved_bytes": reserved,
        "active_bytes": 2 * GIB,
        "cell_peak_allocated_bytes": None,
        "num_ooms": 0,
        "num_alloc_retries": 0,
        "peak_allocated_bytes": 2 * GIB,
        "inactive_split_bytes": 0,
    }


def joined(
    readings: Sequence[DeviceReading],
    *allocators: Allocator,
    owners: Mapping[int, Owner] | None = None,
    believed: Iterable[int] | None = None,
) -> Attribution:
    owners = owners or {}
    shown = attribute(
        readings,
        owners,
        {"k1": allocators},
        believed=set(owners if believed is None else believed),
        interval_s=2,
    )
    for device in shown.devices:
        check_contract(device, "Device")
    for share in shown.kernels["k1"]:
        check_contract(share, "KernelDevice")
    return shown


def only(shown: Attribution) -> KernelDevice:
    [share] = shown.kernels["k1"]
    return share


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


UUIDS = ("aaaa", "bbbb", "cccc")


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_devices_of_a_kernel_are_found_whatever_numbers_cuda_gives_them(
    order: tuple[int, ...],
) -> None:
    """As after ``CUDA_VISIBLE_DEVICES=2,0,1``, or with the fastest GPU first."""
    readings = [reading(uuid, pci=f"0000:0{n}:00.0") for n, uuid in enumerate(UUIDS)]
    by_uuid = [
        allocator(UUIDS[gpu], index=index, reserved=(gpu + 1) * GIB)
        for index, gpu in enumerate(order)
    ]
    by_address = [
        allocator(None, index=index, pci=f"0000:0{gpu}:00.0", reserved=(gpu + 1) * GIB)
        for index, gpu in enumerate(order)
    ]
    for allocators in (by_uuid, by_address):
        found = joined(readings, *allocators).kernels["k1"]
        sizes = {share["key"]: share["reserved_bytes"] for share in found}
        assert sizes == {"nvml:aaaa": GIB, "nvml:bbbb": 2 * GIB, "nvml:cccc": 3 * GIB}


def test_one_device_of_several_is_not_taken_for_the_first() -> None:
    readings = [reading(uuid) for uuid in UUIDS]
    assert only(joined(readings, allocator("cccc", index=0)))["key"] == "nvml:cccc"


@pytest.mark.parametrize("uuid", ["dddd", "aaaa"])
def test_a_kernel_in_an_instance_is_found_by_its_uuid_or_by_its_gpus(uuid: str) -> None:
    """PyTorch may tell either of the two, both without a prefix."""
    readings = [
        reading("aaaa", listed=False, pci="0000:07:00.0"),
        reading("mig-dddd", ProcessEntry(1, 4 * GIB), parent="aaaa", pci="0000:07:00.0"),
        reading("mig-eeee", parent="aaaa", pci="0000:07:00.0"),
    ]
    mine = only(joined(readings, allocator(uuid), owners={1: KERNEL}))
    assert (mine["key"], mine["reserved_bytes"]) == ("nvml:mig-dddd", 3 * GIB)


def test_a_gpu_stays_the_answer_where_its_instances_do_not_tell_whose_they_are() -> None:
    readings = [
        reading("aaaa", listed=False),
        reading("mig-dddd", parent="aaaa"),
        reading("mig-eeee", parent="aaaa"),
    ]
    assert only(joined(readings, allocator("aaaa")))["key"] == "nvml:aaaa"


def test_an_older_pytorch_that_names_no_device_is_put_on_the_one_the_driver_names() -> None:
    readings = [reading("aaaa"), reading("bbbb", ProcessEntry(1, 4 * GIB))]
    assert only(joined(readings, allocator(None), owners={1: KERNEL}))["key"] == "nvml:bbbb"


def test_two_devices_without_identity_are_not_guessed_at() -> None:
    readings = [reading(u, ProcessEntry(1, GIB)) for u in ("aaaa", "bbbb")]
    unnamed = [allocator(None, index=0), allocator(None, index=1)]
    shown = joined(readings, *unnamed, owners={1: KERNEL})
    keys = [share["key"] for share in shown.kernels["k1"]]
    assert keys == ["nvml:aaaa", "nvml:bbbb", "kernel:cuda-0", "kernel:cuda-1"]


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


@pytest.mark.parametrize("shown", [True, False])
def test_the_setting_decides_whether_other_processes_are_listed(shown: bool) -> None:
    attributor = Attributor(interval_s=2, show_other_processes=shown)
    found = asyncio.run(attributor.attribute([reading("aaaa", ProcessEntry(1, 2 * GIB))], {}))
    [device] = found.devices
    assert [p["pid"] for p in device["processes"] or []] == ([1] if shown else [])
    assert device["other_bytes"] == 2 * GIB
