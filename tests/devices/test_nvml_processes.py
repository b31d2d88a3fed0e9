"""F24 to F30: who has memory on a device, as far as the driver can be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.provider import ProcessEntry
from tests.nvml_standin import GIB, Fault, Gpu, Process, Scenario, Standin

from .reading import A, opened, processes_of, read

if TYPE_CHECKING:
    from .conftest import MakeDriver

THREE = [Process(101, GIB), Process(102, 2 * GIB), Process(103, 3 * GIB)]
EXPECTED = tuple(ProcessEntry(p.pid, p.used_bytes) for p in THREE)
COMPUTE_V2 = "nvmlDeviceGetComputeRunningProcesses_v2"
COMPUTE_V3 = "nvmlDeviceGetComputeRunningProcesses_v3"


@pytest.mark.parametrize("stride", [32, 16])
def test_entries_of_another_size_are_noticed_and_read_by_the_older_call(
    driver: Standin, stride: int
) -> None:
    """F24."""
    driver.play(Scenario(gpus=[Gpu(A, processes=THREE)], v3_stride=stride))
    provider = opened()
    assert processes_of(read(provider)) == EXPECTED
    driver.forget_calls()
    assert processes_of(read(provider)) == EXPECTED
    assert driver.count(COMPUTE_V3) == 0


def test_entries_that_name_an_instance_of_a_whole_gpu_are_not_believed(driver: Standin) -> None:
    """F24: the fields of instances are where shifted entries show first."""
    driver.play(Scenario(gpus=[Gpu(A, processes=[Process(5, GIB, instance=(0, 0))])]))
    assert processes_of(read(opened())) is None


@pytest.mark.parametrize(
    ("omit", "expected"),
    [
        pytest.param(("V3",), EXPECTED, id="before-R510"),
        pytest.param(("V3", "V2"), None, id="before-R450"),
    ],
)
def test_old_drivers_are_asked_by_the_older_calls_or_not_at_all(
    make_driver: MakeDriver, omit: tuple[str, ...], expected: tuple[ProcessEntry, ...] | None
) -> None:
    """F25."""
    driver = make_driver(omit=omit)
    driver.play(Scenario(gpus=[Gpu(A, processes=THREE)]))
    assert processes_of(read(opened())) == expected


def test_a_process_of_unknown_size_is_listed_as_that(driver: Standin) -> None:
    """F26."""
    driver.play(Scenario(gpus=[Gpu(A, processes=[Process(5, None)])]))
    assert processes_of(read(opened())) == (ProcessEntry(5, None),)


def test_a_list_that_outgrows_its_array_is_read_again_at_once(driver: Standin) -> None:
    """F27."""
    many = [Process(1000 + n, 2**20) for n in range(500)]
    driver.play(Scenario(gpus=[Gpu(A, processes=many)]))
    provider = opened()
    assert len(processes_of(read(provider)) or ()) == 500
    assert driver.count(COMPUTE_V3) == 2
    read(provider)
    assert driver.count(COMPUTE_V3) == 3


def test_a_pid_that_is_gone_is_still_the_drivers_claim(driver: Standin) -> None:
    """F28: nothing is looked up here, so nothing can fail."""
    driver.play(Scenario(gpus=[Gpu(A, processes=[Process(2**22, GIB)])]))
    assert processes_of(read(opened())) == (ProcessEntry(2**22, GIB),)


def test_clients_of_the_multi_process_service_are_listed_as_such(driver: Standin) -> None:
    """F29."""
    listed = [Process(5, GIB, "C"), Process(6, GIB, "M")]
    driver.play(Scenario(gpus=[Gpu(A, processes=listed)]))
    assert processes_of(read(opened())) == (
        ProcessEntry(5, GIB, "compute"),
        ProcessEntry(6, GIB, "mps"),
    )


def test_devices_listed_by_mps_client_are_not_taken_for_unified(
    driver: Standin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F29: nearly all calls are unsupported then."""
    monkeypatch.setenv("NVML_MPS_DEVICE_ENUMERATION", "1")
    driver.play(Scenario(gpus=[Gpu(A, total_bytes=None)]))
    reading = next(iter(read(opened()).values()))
    assert reading.info.kind == "dedicated"
    assert reading.sample is not None
    assert reading.sample.used_bytes is None


def test_a_process_in_two_lists_is_one_with_the_larger_number(driver: Standin) -> None:
    listed = [Process(5, 2 * GIB, "C"), Process(5, GIB, "G"), Process(6, GIB, "G")]
    driver.play(Scenario(gpus=[Gpu(A, processes=listed)]))
    assert processes_of(read(opened())) == (
        ProcessEntry(5, 2 * GIB, "both"),
        ProcessEntry(6, GIB, "graphics"),
    )


def test_processes_that_add_up_to_more_than_is_used_are_passed_on(driver: Standin) -> None:
    """F30."""
    driver.play(Scenario(gpus=[Gpu(A, used_bytes=GIB, processes=THREE)]))
    assert processes_of(read(opened())) == EXPECTED


def test_no_process_is_an_empty_list_and_a_refused_one_is_unknown(driver: Standin) -> None:
    provider = opened()
    assert processes_of(read(provider)) == ()
    driver.play(Scenario(faults=[Fault(COMPUTE_V3, 4)]))
    assert processes_of(read(provider)) is None


def test_graphics_lists_are_not_needed(driver: Standin) -> None:
    faults = [Fault("nvmlDeviceGetGraphicsRunningProcesses_v3", 3)]
    driver.play(Scenario(gpus=[Gpu(A, processes=THREE)], faults=faults))
    assert processes_of(read(opened())) == EXPECTED


def test_the_detailed_list_is_never_asked_for(driver: Standin) -> None:
    """F38."""
    read(opened())
    assert driver.count("nvmlDeviceGetRunningProcessDetailList") == 0
    assert driver.count("nvmlSystemGetProcessName") == 0
