"""Temperature and power: only where wanted, rarely, and never at the cost of the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyterlab_gpumem.devices.nvml import NvmlProvider
from tests.nvml_standin import Fault, Gpu, Scenario, Standin

from .reading import KEY_A, KEY_B, NOWHERE, A, B, opened, read, sample_of

if TYPE_CHECKING:
    from .reading import Clock

TEMPERATURE = "nvmlDeviceGetTemperature"
POWER = "nvmlDeviceGetPowerUsage"
WARM = Gpu(A, temperature_c=61, power_mw=287_500)


def with_sensors(clock: Clock) -> NvmlProvider:
    provider = NvmlProvider(root=NOWHERE, clock=clock, sensors=True)
    provider.open()
    return provider


def test_they_are_not_asked_for_unless_wanted(driver: Standin) -> None:
    driver.play(Scenario(gpus=[WARM]))
    sample = sample_of(read(opened()))
    assert (sample.temperature_c, sample.power_w) == (None, None)
    assert driver.count(TEMPERATURE) == driver.count(POWER) == 0


def test_they_are_read_each_five_seconds_and_kept_in_between(driver: Standin, clock: Clock) -> None:
    driver.play(Scenario(gpus=[WARM]))
    provider = with_sensors(clock)
    for _ in range(10):
        sample = sample_of(read(provider))
        assert (sample.temperature_c, sample.power_w) == (61, 287.5)
        clock.now += 1
    assert driver.count(TEMPERATURE) == driver.count(POWER) == 2
    assert driver.count("nvmlDeviceGetMemoryInfo_v2") == 11  # one for the kind of the device


def test_what_is_not_supported_is_unknown_and_asked_once(driver: Standin, clock: Clock) -> None:
    driver.play(Scenario(gpus=[Gpu(A, temperature_c=61, power_mw=None)]))
    provider = with_sensors(clock)
    for _ in range(3):
        sample = sample_of(read(provider))
        assert (sample.temperature_c, sample.power_w, sample.state) == (61, None, "ok")
        clock.now += 5
    assert (driver.count(TEMPERATURE), driver.count(POWER)) == (3, 1)


def test_a_sensor_that_fails_leaves_the_memory_and_is_asked_again(
    driver: Standin, clock: Clock
) -> None:
    driver.play(Scenario(gpus=[WARM], faults=[Fault(POWER, 17, times=1)]))
    provider = with_sensors(clock)
    sample = sample_of(read(provider))
    assert (sample.power_w, sample.used_bytes) == (None, WARM.used_bytes)
    clock.now += 5
    assert sample_of(read(provider)).power_w == 287.5


def test_a_gpu_that_is_lost_at_its_sensor_is_lost(driver: Standin, clock: Clock) -> None:
    driver.play(Scenario(gpus=[WARM, Gpu(B)], faults=[Fault(TEMPERATURE, 15, device=0)]))
    readings = read(with_sensors(clock))
    assert sample_of(readings, KEY_A).state == "lost"
    assert sample_of(readings, KEY_B).state == "ok"
