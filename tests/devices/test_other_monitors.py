"""Other people's monitors, run on the same driver, show what we show."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.nvml_standin import GIB, Gpu, Process, Scenario, Standin

from .reading import A, B, opened, processes_of, read, sample_of

if TYPE_CHECKING:
    from jupyterlab_gpumem.devices.provider import DeviceReading

MIB = 2**20
GPUS = [
    Gpu(
        A,
        total_bytes=80 * GIB,
        used_bytes=10 * GIB,
        reserved_bytes=GIB // 2,
        utilization_pct=97,
        temperature_c=61,
        power_mw=287_000,
        pci="00000000:07:00.0",
        processes=[Process(os.getpid(), 3 * GIB)],
    ),
    Gpu(
        B,
        total_bytes=24 * GIB,
        used_bytes=GIB,
        reserved_bytes=300 * MIB,
        temperature_c=40,
        power_mw=50_000,
        pci="00000000:0a:00.0",
    ),
]
NVITOP = """
import json
from nvitop import Device
print(json.dumps([
    [d.uuid(), d.memory_total(), d.memory_used(), d.gpu_utilization(),
     {pid: p.gpu_memory() for pid, p in d.processes().items()}]
    for d in Device.all()
]))
"""


@pytest.fixture
def ours(driver: Standin) -> list[DeviceReading]:
    driver.play(Scenario(gpus=GPUS))
    return list(read(opened()).values())


def output_of(driver: Standin, *arguments: str) -> Any:
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **driver.env()},
        check=True,
        capture_output=True,
    )
    return json.loads(done.stdout)


def test_nvitop_shows_the_same(driver: Standin, ours: list[DeviceReading]) -> None:
    theirs = output_of(driver, "-c", NVITOP)
    assert len(theirs) == len(ours)
    for (uuid, total, used, utilization, processes), reading in zip(theirs, ours, strict=True):
        sample = sample_of({"": reading}, "")
        assert reading.info.key == "nvml:" + uuid.lower().removeprefix("gpu-")
        assert (sample.total_bytes, sample.used_bytes) == (total, used)
        assert sample.utilization_pct == utilization
        listed = {str(p.pid): p.used_bytes for p in processes_of({"": reading}, "") or ()}
        assert listed == processes


def test_gpustat_shows_the_same(driver: Standin, ours: list[DeviceReading]) -> None:
    theirs = output_of(driver, "-m", "gpustat", "--json")["gpus"]
    assert len(theirs) == len(ours)
    for gpu, reading in zip(theirs, ours, strict=True):
        sample = sample_of({"": reading}, "")
        assert sample.total_bytes == gpu["memory.total"] * MIB
        assert sample.used_bytes == gpu["memory.used"] * MIB
        assert sample.utilization_pct == gpu["utilization.gpu"]
        listed = {p.pid: p.used_bytes for p in processes_of({"": reading}, "") or ()}
        assert listed == {p["pid"]: p["gpu_memory_usage"] * MIB for p in gpu["processes"]}
