"""F13 to F21: what a device says of itself, and what it cannot say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psutil
import pytest

from tests.nvml_standin import GIB, Fault, Gpu, Process, Scenario, Standin

from .reading import KEY_A, KEY_B, A, B, opened, processes_of, read, sample_of

if TYPE_CHECKING:
    from .conftest import MakeDriver

MEMORY = "nvmlDeviceGetMemoryInfo_v2"
HANDLE = "nvmlDeviceGetHandleByIndex_v2"
TWO = [Gpu(A, used_bytes=GIB), Gpu(B, used_bytes=2 * GIB)]


def test_figures_are_those_of_the_driver_and_follow_it(driver: Standin) -> None:
    driver.play(Scenario(gpus=TWO))
    provider = opened()
    readings = read(provider)
    assert list(readings) == [KEY_A, KEY_B]
    assert [readings[key].info.index for key in readings] == [0, 1]
    assert [readings[key].info.pci for key in readings] == ["0000:01:00.0", "0000:02:00.0"]
    assert sample_of(readings, KEY_B).used_bytes == 2 * GIB
    assert sample_of(readings, KEY_B).utilization_pct == 97
    driver.play(Scenario(gpus=[Gpu(A, used_bytes=3 * GIB), Gpu(B)]))
    assert sample_of(read(provider)).used_bytes == 3 * GIB


def test_reserved_memory_is_shown_apart_where_the_driver_tells(driver: Standin) -> None:
    """F13."""
    gpu = Gpu(A, total_bytes=80 * GIB, reserved_bytes=GIB, used_bytes=10 * GIB)
    driver.play(Scenario(gpus=[gpu]))
    sample = sample_of(read(opened()))
    assert (sample.used_bytes, sample.reserved_bytes, sample.free_bytes) == (
        10 * GIB,
        GIB,
        69 * GIB,
    )
    assert not sample.used_includes_reserved


def assert_version_1(sample_driver: Standin) -> None:
    gpu = Gpu(A, total_bytes=80 * GIB, reserved_bytes=GIB, used_bytes=10 * GIB)
    faults = [Fault(MEMORY, 25)]
    sample_driver.play(Scenario(gpus=[gpu], faults=faults))
    provider = opened()
    for _ in range(2):
        sample = sample_of(read(provider))
        assert (sample.used_bytes, sample.reserved_bytes) == (11 * GIB, None)
        assert sample.used_includes_reserved
        assert sample.state == "ok"
    assert sample_driver.count(MEMORY) <= 1


def test_a_driver_without_version_2_falls_back_and_says_what_its_number_includes(
    make_driver: MakeDriver,
) -> None:
    """F14."""
    assert_version_1(make_driver(omit=("MEMORY_V2",)))


def test_a_refused_structure_version_falls_back_too(driver: Standin) -> None:
    """F15."""
    assert_version_1(driver)


@pytest.mark.parametrize(
    "gpu",
    [
        pytest.param(Gpu(A, total_bytes=None, processes=[Process(7, GIB)]), id="F16-not-supported"),
        pytest.param(
            Gpu(A, total_bytes=0, used_bytes=0, reserved_bytes=0, processes=[Process(7, GIB)]),
            id="F17-zeros",
        ),
    ],
)
def test_a_gpu_without_memory_of_its_own_shows_the_systems(driver: Standin, gpu: Gpu) -> None:
    driver.play(Scenario(gpus=[gpu]))
    readings = read(opened())
    assert readings[KEY_A].info.kind == "unified"
    sample = sample_of(readings)
    assert sample.total_bytes == psutil.virtual_memory().total
    assert sample.used_bytes is not None
    assert 0 < sample.used_bytes < sample.total_bytes
    assert [entry.used_bytes for entry in processes_of(readings) or ()] == [GIB]


def test_garbage_in_the_process_list_of_an_old_jetson_is_dropped(driver: Standin) -> None:
    """F17."""
    odd = [Process(0, 0), Process(4_000_000_000, 5)]
    driver.play(Scenario(gpus=[Gpu(A, total_bytes=0, processes=odd)]))
    assert processes_of(read(opened())) is None


def test_memory_that_fails_for_another_reason_does_not_make_a_gpu_unified(driver: Standin) -> None:
    """F16: only "not supported" or a total of 0 says so."""
    driver.play(Scenario(faults=[Fault(MEMORY, 4)]))
    readings = read(opened())
    assert readings[KEY_A].info.kind == "dedicated"
    assert sample_of(readings).state == "no_permission"


def test_used_beyond_the_listed_processes_is_passed_on_as_it_is(driver: Standin) -> None:
    """F18, F43."""
    driver.play(Scenario(gpus=[Gpu(A, used_bytes=50 * GIB, processes=[Process(7, GIB)])]))
    readings = read(opened())
    assert sample_of(readings).used_bytes == 50 * GIB
    assert [entry.used_bytes for entry in processes_of(readings) or ()] == [GIB]


@pytest.mark.parametrize("used", [200 * GIB, 2**64 - 4096])
def test_a_size_that_cannot_be_is_unknown(driver: Standin, used: int) -> None:
    """F19."""
    driver.play(Scenario(gpus=[Gpu(A, total_bytes=100 * GIB, used_bytes=used)]))
    sample = sample_of(read(opened()))
    assert (sample.total_bytes, sample.used_bytes, sample.free_bytes) == (100 * GIB, None, None)
    assert sample.state == "partial"


def test_utilisation_that_is_not_supported_is_unknown_and_asked_once(driver: Standin) -> None:
    """F21."""
    driver.play(Scenario(gpus=[Gpu(A, utilization_pct=None)]))
    provider = opened()
    for _ in range(3):
        sample = sample_of(read(provider))
        assert (sample.utilization_pct, sample.state) == (None, "ok")
    assert driver.count("nvmlDeviceGetUtilizationRates") == 1


def test_utilisation_that_fails_once_leaves_the_memory(driver: Standin) -> None:
    """F21: a value's fault is the value's."""
    driver.play(Scenario(faults=[Fault("nvmlDeviceGetUtilizationRates", 17, times=1)]))
    provider = opened()
    sample = sample_of(read(provider))
    assert (sample.utilization_pct, sample.used_bytes) == (None, 10 * GIB)
    assert sample.state == "partial"
    assert sample_of(read(provider)).utilization_pct == 97


def test_a_name_that_is_no_text_falls_back_to_the_index(driver: Standin) -> None:
    raw = Gpu(A, name="\udcff\udcfe")
    scenario = driver.folder / "scenario.txt"
    scenario.write_bytes(Scenario(gpus=[raw]).text().encode(errors="surrogateescape"))
    readings = read(opened())
    assert readings[KEY_A].info.name == "GPU 0"
