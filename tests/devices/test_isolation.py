"""F12: NVML in a helper process, which the driver's library can take down or hold up alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.isolation import IsolatedProvider
from jupyterlab_gpumem.devices.isolation.provider import SHUN_S
from jupyterlab_gpumem.devices.provider import DeviceSample, ProcessEntry
from tests.nvml_standin import GIB, Delay, Fault, Gpu, MigDevice, Process, Scenario, Standin

from .endings import has_ended
from .reading import KEY_A, KEY_B, NOWHERE, A, B, opened, read, refusal, sample_of

if TYPE_CHECKING:
    from pathlib import Path

    from .reading import Clock

MEMORY = "nvmlDeviceGetMemoryInfo_v2"
TWO = [Gpu(A, used_bytes=GIB, processes=[Process(7, GIB), Process(8, None)]), Gpu(B)]


def test_the_figures_are_those_of_the_library_read_in_this_process(
    far_driver: Standin, provider: IsolatedProvider
) -> None:
    far_driver.play(
        Scenario(
            gpus=[
                *TWO,
                Gpu("GPU-cccc", mig_enabled=True, migs=[MigDevice(1, "MIG-1111")]),
                Gpu("GPU-dddd", total_bytes=100, used_bytes=200, temperature_c=50, power_mw=99_500),
            ]
        )
    )
    far = read(provider)
    near = read(opened())
    assert list(far) == list(near)
    for key, reading in near.items():
        assert far[key].info == reading.info
        assert far[key].processes == reading.processes
    assert sample_of(far, "nvml:dddd").temperature_c == 50
    assert sample_of(far, "nvml:dddd").power_w == 99.5
    assert [sample_of(far, key) for key in (KEY_A, KEY_B)] == [
        sample_of(near, key) for key in (KEY_A, KEY_B)
    ]
    assert far[KEY_A].processes == (ProcessEntry(7, GIB), ProcessEntry(8, None))
    assert provider.helper_pid in {call.pid for call in far_driver.calls()}


@pytest.mark.parametrize(
    ("symbol", "where"),
    [("nvmlInitWithFlags", "devices"), (MEMORY, "devices"), ("nvmlDeviceGetUtili", "sample")],
)
def test_a_crash_of_the_library_is_a_state_and_a_new_helper_brings_figures_again(
    far_driver: Standin, provider: IsolatedProvider, symbol: str, where: str
) -> None:
    """F12."""
    symbol = symbol.replace("Utili", "UtilizationRates")
    far_driver.play(Scenario(faults=[Fault(symbol, "crash")]))
    refused = refusal(provider)
    assert (refused.state, refused.hint) == ("error", "driver_crashed")
    assert refused.detail.endswith(f"SIGSEGV, in {where}.")
    far_driver.play(Scenario())
    assert sample_of(read(provider)).state == "ok"


def test_a_gpu_that_crashes_the_library_again_does_not_hide_the_others(
    far_driver: Standin, provider: IsolatedProvider, clock: Clock
) -> None:
    """F12, F11: the driver's other GPUs are as well as ever."""
    utilization = "nvmlDeviceGetUtilizationRates"
    far_driver.play(Scenario(gpus=TWO, faults=[Fault(utilization, "crash", device=1)]))
    assert refusal(provider).state == "error"
    assert refusal(provider).state == "error"
    readings = read(provider)
    assert sample_of(readings, KEY_A).used_bytes == GIB
    assert sample_of(readings, KEY_B) == DeviceSample(state="error")
    assert readings[KEY_B].processes is None
    far_driver.play(Scenario(gpus=TWO))
    clock.now += SHUN_S
    assert sample_of(read(provider), KEY_B).state == "ok"


def test_one_crash_is_forgotten_when_the_same_question_is_answered(
    far_driver: Standin, provider: IsolatedProvider
) -> None:
    crash = [Fault("nvmlDeviceGetUtilizationRates", "crash", device=1)]
    for _ in range(3):
        far_driver.play(Scenario(gpus=TWO, faults=crash))
        refusal(provider)
        far_driver.play(Scenario(gpus=TWO))
        assert sample_of(read(provider), KEY_B).state == "ok"
        provider.close()


def test_a_helper_that_hangs_is_killed_and_replaced(far_driver: Standin) -> None:
    """F41."""
    provider = IsolatedProvider(root=NOWHERE, call_limit_s=0.5)
    # Not the limit here, or a slow machine would fail.
    provider.devices()
    pid = provider.helper_pid
    assert pid
    far_driver.play(Scenario(delays=[Delay("nvmlDeviceGetCount_v2", 60)]))
    refused = refusal(provider)
    assert (refused.state, refused.hint) == ("hung", "driver_hangs")
    assert has_ended(pid)
    far_driver.play(Scenario())
    assert len(provider.devices()) == 1
    assert provider.helper_pid != pid
    provider.close()


def test_a_driver_that_takes_long_to_start_is_not_killed_for_it(far_driver: Standin) -> None:
    """F10: it would never be done."""
    provider = IsolatedProvider(root=NOWHERE, call_limit_s=0.1)
    far_driver.play(Scenario(delays=[Delay("nvmlInitWithFlags", 0.8)]))
    assert len(provider.devices()) == 1
    provider.close()


def test_a_library_that_is_not_there_is_the_same_state_as_without_a_helper(
    monkeypatch: pytest.MonkeyPatch, provider: IsolatedProvider
) -> None:
    """F1."""
    monkeypatch.delenv("LD_LIBRARY_PATH")
    refused = refusal(provider)
    assert (refused.state, refused.hint) == ("no_library", "install_driver")


def test_what_a_library_prints_does_not_get_into_the_answers(
    provider: IsolatedProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F3: stub libraries print a block of warnings."""
    (tmp_path / "pynvml.py").write_text("import os; os.write(1, b'WARNING\\n'); 1 / 0")
    monkeypatch.syspath_prepend(str(tmp_path))
    refused = refusal(provider)
    assert (refused.state, refused.detail) == (
        "old_binding",
        "ZeroDivisionError: division by zero",
    )
