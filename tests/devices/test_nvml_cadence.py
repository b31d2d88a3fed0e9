"""How often the driver is asked for what, by the driver's own log."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from jupyterlab_gpumem.devices.nvml import NvmlProvider
from jupyterlab_gpumem.devices.sampler import Sampler
from tests.nvml_standin import Delay, Gpu, Scenario, Standin

from .reading import NOWHERE, A, B, Clock
from .scripted import PATIENT_S

if TYPE_CHECKING:
    from collections.abc import Callable

COMPUTE = "nvmlDeviceGetComputeRunningProcesses_v3"
LISTS = [f"nvmlDeviceGet{kind}RunningProcesses_v3" for kind in ("Compute", "Graphics")]
MEMORY = "nvmlDeviceGetMemoryInfo_v2"
ONCE = ("Name", "UUID", "PciInfo_v3", "VirtualizationMode")
TWO = [Gpu(A), Gpu(B)]


def poll(clock: Callable[[], float], advance: Callable[[float], None], *, seconds: float) -> None:
    """Let thirty clients poll each half a second."""

    async def run() -> None:
        provider = NvmlProvider(root=NOWHERE, clock=clock)
        sampler = Sampler([provider], interval_s=1.0, wait_s=PATIENT_S, clock=clock)
        for _ in range(int(2 * seconds)):
            await asyncio.gather(*(sampler.sweep() for _ in range(30)))
            advance(0.5)
        await sampler.stop()

    asyncio.run(run())


def test_memory_comes_each_interval_lists_each_two_seconds_and_the_rest_once(
    driver: Standin, clock: Clock
) -> None:
    driver.play(Scenario(gpus=TWO))

    def advance(seconds: float) -> None:
        clock.now += seconds

    poll(clock, advance, seconds=12)
    assert driver.sweeps() == 12
    assert driver.count("nvmlInitWithFlags") == 1
    for device in ("0", "1"):
        asked = [call.symbol for call in driver.calls() if call.device == device]
        # Once more at the start: whether the GPU has memory of its own.
        assert asked.count(MEMORY) == 12 + 1
        assert asked.count("nvmlDeviceGetUtilizationRates") == 12
        assert [asked.count(symbol) for symbol in LISTS] == [6, 6]
        assert {asked.count(f"nvmlDeviceGet{what}") for what in ONCE} == {1}


def test_lists_of_a_slow_driver_take_a_twentieth_of_the_time_at_most(driver: Standin) -> None:
    lists_s = 0.15 * len(TWO)
    driver.play(Scenario(gpus=TWO, delays=[Delay(COMPUTE, 0.15)]))
    skipped = [0.0]

    def clock() -> float:
        """Real time, for what the driver takes, and the time that the test skips."""
        return time.monotonic() + skipped[0]

    def advance(seconds: float) -> None:
        skipped[0] += seconds

    began = clock()
    poll(clock, advance, seconds=18)
    rounds = driver.count(COMPUTE) / len(TWO)
    # The first round comes at once; each further one has to be paid for by the time before it.
    assert (rounds - 1) * lists_s <= 0.05 * (clock() - began)
    assert rounds >= 2
