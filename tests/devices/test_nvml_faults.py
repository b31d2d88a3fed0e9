"""F11, F12, F22, F23: devices that are lost, broken or somebody else's."""

from __future__ import annotations

import pytest

from tests.nvml_standin import GIB, Fault, Gpu, Scenario, Standin

from .reading import KEY_A, KEY_B, A, B, Clock, opened, processes_of, read, sample_of

MEMORY = "nvmlDeviceGetMemoryInfo_v2"
HANDLE = "nvmlDeviceGetHandleByIndex_v2"
TWO = [Gpu(A, used_bytes=GIB), Gpu(B, used_bytes=2 * GIB)]


@pytest.mark.parametrize("symbol", ["*", MEMORY], ids=["from-the-handle", "from-the-memory"])
@pytest.mark.parametrize("code", [15, 999])
def test_a_lost_gpu_stays_listed_by_its_name_and_hides_no_other(
    driver: Standin, symbol: str, code: int
) -> None:
    """F11."""
    driver.play(Scenario(gpus=TWO))
    provider = opened()
    read(provider)
    driver.play(Scenario(gpus=TWO, faults=[Fault(symbol, code, device=1)]))
    if symbol == "*":
        provider.close()
        provider.open()
    readings = read(provider)
    assert readings[KEY_B].info.name == "NVIDIA H100 80GB HBM3"
    assert sample_of(readings, KEY_B).state == "lost"
    assert sample_of(readings, KEY_B).used_bytes is None
    assert processes_of(readings, KEY_B) is None
    assert sample_of(readings, KEY_A).state == "ok"
    assert sample_of(readings, KEY_A).used_bytes == GIB


def test_a_gpu_that_was_lost_from_the_beginning_is_listed_by_its_index(driver: Standin) -> None:
    """F11."""
    driver.play(Scenario(gpus=TWO, faults=[Fault("*", 15, device=1)]))
    readings = read(opened())
    assert list(readings) == [KEY_A, "nvml:index-1"]
    assert sample_of(readings, "nvml:index-1").state == "lost"


def test_a_lost_gpu_is_not_named_after_one_that_left_its_index(driver: Standin) -> None:
    """F11, F39."""
    driver.play(Scenario(gpus=TWO))
    provider = opened()
    read(provider)
    driver.play(Scenario(gpus=[Gpu(B)], faults=[Fault(HANDLE, 15, device=0)]))
    assert list(read(provider)) == ["nvml:index-0"]


def test_a_lost_gpu_is_not_called_again_until_a_new_start_finds_it_healed(
    driver: Standin, clock: Clock
) -> None:
    """F11, F12, F39: a call on it could take the process down."""
    driver.play(Scenario(gpus=TWO, faults=[Fault(MEMORY, 15, device=1)]))
    provider = opened(clock)
    read(provider)
    driver.forget_calls()
    for _ in range(3):
        clock.now += 9
        assert sample_of(read(provider), KEY_B).state == "lost"
    assert {call.device for call in driver.calls()} == {"-", "0"}
    driver.play(Scenario(gpus=TWO))
    clock.now += 25
    assert sample_of(read(provider), KEY_B).state == "ok"


def test_a_gpu_that_needs_a_reset_says_so(driver: Standin) -> None:
    """F22."""
    driver.play(Scenario(gpus=TWO, faults=[Fault(MEMORY, 16, device=0)]))
    readings = read(opened())
    assert sample_of(readings, KEY_A).state == "reset_required"
    assert sample_of(readings, KEY_B).state == "ok"


def test_a_gpu_that_others_were_given_is_left_out(driver: Standin) -> None:
    """F23."""
    driver.play(Scenario(gpus=TWO, faults=[Fault(HANDLE, 4, device=0)]))
    provider = opened()
    assert list(read(provider)) == [KEY_B]
    assert provider.hidden_devices == 1


def test_a_library_that_somebody_else_shut_down_is_started_again(driver: Standin) -> None:
    import pynvml

    provider = opened()
    read(provider)
    pynvml.nvmlShutdown()
    with pytest.raises(Exception, match="Uninitialized"):
        provider.devices()
    provider.close()
    provider.open()
    assert len(read(provider)) == 1
