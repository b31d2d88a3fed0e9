"""Which device of the server a device of PyTorch is, whatever number it has in the kernel."""

from __future__ import annotations

import itertools

import pytest

from jupyterlab_gpumem.devices.provider import ProcessEntry

from .reports import GIB, KERNEL, allocator, joined, only, reading

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
