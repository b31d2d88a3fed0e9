"""What of devices and processes is shown: by the settings, and by what may be on its way."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from jupyterlab_gpumem.devices.provider import (
    DeviceInfo,
    DeviceReading,
    DeviceSample,
    ProcessEntry,
)
from jupyterlab_gpumem.server.attributor import Attributor

from .reports import GIB, allocator, reading

if TYPE_CHECKING:
    from jupyterlab_gpumem.server.attributor import HostMemory
    from jupyterlab_gpumem.wire import Allocator


class Talking:
    """A kernel that reports devices."""

    pid = None

    def __init__(self, *allocators: Allocator) -> None:
        self.figures = {"pid": 1, "allocators": list(allocators)}


def test_a_device_that_only_a_kernel_tells_of_waits_for_the_next_reading() -> None:
    now = 100.0
    attributor = Attributor(interval_s=2, clock=lambda: now)

    def shown(*readings: DeviceReading) -> tuple[list[str], list[str]]:
        kernels: Any = {"k1": Talking(allocator("bbbb"), allocator("mps", index=1))}
        found = asyncio.run(attributor.attribute(readings, kernels))
        return [d["key"] for d in found.devices], [s["key"] for s in found.kernels["k1"]]

    # That no driver sees the GPU of a Mac is known at once.
    assert shown() == (["kernel:mps"], ["kernel:bbbb", "kernel:mps"])
    now += 2
    assert shown(reading("bbbb"))[0] == ["nvml:bbbb", "kernel:mps"]
    assert shown()[0] == ["kernel:mps"]
    now += 6
    assert shown()[0] == ["kernel:bbbb", "kernel:mps"]


@pytest.mark.parametrize("shown", [True, False])
def test_the_setting_decides_whether_other_processes_are_listed(shown: bool) -> None:
    attributor = Attributor(interval_s=2, show_other_processes=shown)
    found = asyncio.run(attributor.attribute([reading("aaaa", ProcessEntry(1, 2 * GIB))], {}))
    [device] = found.devices
    assert [p["pid"] for p in device["processes"] or []] == ([1] if shown else [])
    assert device["other_bytes"] == 2 * GIB


@pytest.mark.parametrize(
    ("setting", "alone", "beside_a_gpu"),
    [("auto", True, False), ("always", True, True), ("never", False, False)],
)
def test_the_setting_decides_whether_the_machines_memory_is_shown(
    setting: HostMemory, alone: bool, beside_a_gpu: bool
) -> None:
    info = DeviceInfo("host:memory", "host", "Machine memory")
    host = DeviceReading(info, DeviceSample(total_bytes=GIB), 1.0, ())
    attributor = Attributor(interval_s=2, show_host_memory=setting)
    for readings, expected in (([host], alone), ([host, reading("aaaa")], beside_a_gpu)):
        found = asyncio.run(attributor.attribute(readings, {}))
        assert ("host:memory" in [d["key"] for d in found.devices]) is expected
        # Who would not show it need not read it.
        assert attributor.shows_host_memory is expected
