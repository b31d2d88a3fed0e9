"""F31 to F39: instances, virtual GPUs, GPUs that come, go and sleep."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.nvml import NvmlProvider
from jupyterlab_gpumem.devices.provider import ProcessEntry
from tests.nvml_standin import GIB, Fault, Gpu, MigDevice, Process, Scenario, Standin

from .reading import KEY_A, KEY_B, A, B, opened, processes_of, read, refusal, sample_of

if TYPE_CHECKING:
    from pathlib import Path

MEMORY = "nvmlDeviceGetMemoryInfo_v2"
MIG_1 = "nvml:mig-1111"
MIG_2 = "nvml:mig-2222"
PARTITIONED = Gpu(
    A,
    mig_enabled=True,
    migs=[
        MigDevice(1, "MIG-1111", (9, 0), used_bytes=GIB),
        MigDevice(4, "MIG-2222", (11, 0), used_bytes=2 * GIB),
    ],
    processes=[Process(201, GIB, instance=(9, 0)), Process(202, 2 * GIB, instance=(11, 0))],
)


def test_a_sleeping_gpu_is_not_woken(driver: Standin, tmp_path: Path) -> None:
    """F31."""
    power = make_gpu(tmp_path, "0000:01:00.0")
    power.write_text("active\n")
    provider = opened(root=tmp_path)
    read(provider)
    provider.close()
    power.write_text("suspended\n")
    driver.forget_calls()
    provider.open()
    readings = read(provider)
    assert (readings[KEY_A].info.name, sample_of(readings).state) == (
        "NVIDIA H100 80GB HBM3",
        "asleep",
    )
    assert processes_of(readings) is None
    assert driver.calls() == []
    power.write_text("active\n")
    assert sample_of(read(provider)).state == "ok"


def test_a_gpu_that_falls_asleep_while_the_library_is_open_is_left_alone(
    driver: Standin, tmp_path: Path
) -> None:
    """F31: a question would wake it; the other GPU goes on."""
    partitioned = replace(PARTITIONED, pci="0000:01:00.0")
    driver.play(Scenario(gpus=[partitioned, Gpu(B, pci="0000:02:00.0")]))
    power = make_gpu(tmp_path, "0000:01:00.0")
    power.write_text("active\n")
    other_power = make_gpu(tmp_path, "0000:02:00.0")
    other_power.write_text("active\n")
    provider = opened(root=tmp_path)
    assert list(read(provider)) == [KEY_A, MIG_1, MIG_2, KEY_B]
    power.write_text("suspended\n")
    driver.forget_calls()
    readings = read(provider)
    assert list(readings) == [KEY_A, KEY_B]
    assert sample_of(readings, KEY_A).state == "asleep"
    assert sample_of(readings, KEY_B).state == "ok"
    assert {call.device for call in driver.calls()} == {"-", "1"}
    other_power.write_text("suspended\n")
    driver.forget_calls()
    assert {sample_of(read(provider), key).state for key in (KEY_A, KEY_B)} == {"asleep"}
    assert {call.device for call in driver.calls()} == {"-"}
    power.write_text("active\n")
    assert sample_of(read(provider), KEY_A).state == "ok"
    assert driver.count("nvmlInitWithFlags") == 0


def test_gpus_that_sleep_from_the_beginning_are_a_state(driver: Standin, tmp_path: Path) -> None:
    """F31."""
    make_gpu(tmp_path, "0000:01:00.0").write_text("suspended\n")
    refused = refusal(NvmlProvider(root=tmp_path))
    assert (refused.state, refused.hint) == ("asleep", "gpu_asleep")
    assert driver.calls() == []


def make_gpu(root: Path, address: str) -> Path:
    folder = root / "sys/bus/pci/devices" / address
    (folder / "power").mkdir(parents=True)
    (folder / "vendor").write_text("0x10de\n")
    (folder / "class").write_text("0x030200\n")
    return folder / "power/runtime_status"


def test_closing_shuts_the_library_down(driver: Standin) -> None:
    """F32: an open one blocks resets and partitioning."""
    provider = opened()
    read(provider)
    provider.close()
    assert driver.calls()[-1].symbol == "nvmlShutdown"


def test_instances_are_devices_with_a_parent_also_where_the_parent_refuses(driver: Standin) -> None:
    """F33."""
    driver.play(Scenario(gpus=[PARTITIONED, Gpu(B)], faults=[Fault(MEMORY, 4, device=0)]))
    readings = read(opened())
    assert list(readings) == [KEY_A, MIG_1, MIG_2, KEY_B]
    assert sample_of(readings, KEY_A).used_bytes is None
    for key, slot, used in ((MIG_1, 1, GIB), (MIG_2, 4, 2 * GIB)):
        info = readings[key].info
        assert (info.kind, info.parent_key, info.index) == ("mig", KEY_A, slot)
        assert sample_of(readings, key).used_bytes == used


def test_instances_are_looked_up_anew_after_a_new_partitioning(driver: Standin) -> None:
    """F34: the handle of slot 1 now stands for another instance."""
    driver.play(Scenario(gpus=[PARTITIONED]))
    provider = opened()
    read(provider)
    other = Gpu(A, mig_enabled=True, migs=[MigDevice(1, "MIG-3333", used_bytes=5 * GIB)])
    driver.play(Scenario(gpus=[other]))
    readings = read(provider)
    assert list(readings) == [KEY_A, "nvml:mig-3333"]
    assert sample_of(readings, "nvml:mig-3333").used_bytes == 5 * GIB
    driver.play(Scenario(gpus=[Gpu(A, mig_enabled=False)]))
    assert list(read(provider)) == [KEY_A]


def test_instances_have_no_utilisation_and_are_not_asked(driver: Standin) -> None:
    """F35."""
    driver.play(Scenario(gpus=[PARTITIONED]))
    sample = sample_of(read(opened()), MIG_1)
    assert (sample.utilization_pct, sample.state) == (None, "ok")
    asked = {c.device for c in driver.calls() if c.symbol == "nvmlDeviceGetUtilizationRates"}
    assert asked == {"0"}


@pytest.mark.parametrize("at_gpu_only", [False, True])
def test_processes_are_listed_at_their_instance_and_not_at_the_gpu_again(
    driver: Standin, at_gpu_only: bool
) -> None:
    """F36."""
    compute = "nvmlDeviceGetComputeRunningProcesses_v3"
    faults = [Fault(compute, 3, device=f"0.{slot}") for slot in (1, 4) if at_gpu_only]
    driver.play(Scenario(gpus=[PARTITIONED], faults=faults))
    readings = read(opened())
    assert processes_of(readings, MIG_1) == (ProcessEntry(201, GIB),)
    assert processes_of(readings, MIG_2) == (ProcessEntry(202, 2 * GIB),)
    assert processes_of(readings, KEY_A) is None


def test_a_virtual_gpu_is_one_by_kind(driver: Standin) -> None:
    """F37."""
    driver.play(Scenario(gpus=[Gpu(A, virtualization=2, utilization_pct=None)]))
    readings = read(opened())
    assert readings[KEY_A].info.kind == "vgpu"
    assert sample_of(readings).total_bytes == 80 * GIB


def test_gpus_come_and_go(driver: Standin) -> None:
    """F39."""
    provider = opened()
    assert list(read(provider)) == [KEY_A]
    driver.play(Scenario(gpus=[Gpu(A), Gpu(B)]))
    assert list(read(provider)) == [KEY_A, KEY_B]
    driver.play(Scenario(gpus=[Gpu(B)]))
    assert list(read(provider)) == [KEY_B]
    provider.close()
    assert driver.count("nvmlInitWithFlags") == driver.count("nvmlShutdown") == 3
