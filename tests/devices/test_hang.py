"""F41, F10: a driver that does not answer, and what goes on all the same."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jupyterlab_gpumem.devices.nvml import NvmlProvider
from jupyterlab_gpumem.devices.provider import ProviderUnavailable
from jupyterlab_gpumem.devices.sampler import Sampler
from jupyterlab_gpumem.devices.timing import Timing
from tests.nvml_standin import Delay, Gpu, Scenario, Standin

from .reading import KEY_A, KEY_B, NOWHERE, A, B
from .scripted import DEADLINE_S, PATIENT_S, ScriptedProvider, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from jupyterlab_gpumem.devices.provider import DeviceReading, Sweep

    from .reading import Clock


async def sweep_until(sampler: Sampler, condition: Callable[[Sweep], bool]) -> Sweep:
    loop = asyncio.get_running_loop()
    deadline = loop.time() + DEADLINE_S
    while True:
        asked = loop.time()
        answer = await sampler.sweep()
        # Generous: a waiting call answers after 0.3 s, a machine under load later.
        assert loop.time() - asked < 2
        if condition(answer):
            return answer
        assert asked < deadline
        await asyncio.sleep(0.01)


def used(sweep: Sweep) -> list[int | None]:
    return [r.sample.used_bytes if r.sample else None for r in sweep.readings]


def sampled_at(reading: DeviceReading) -> float:
    assert reading.sampled_at is not None
    return reading.sampled_at


def test_a_hang_in_the_driver_delays_no_answer_and_stops_no_other_provider(
    driver: Standin,
) -> None:
    """F41, F10."""
    gpus = [Gpu(A, used_bytes=1), Gpu(B, used_bytes=1)]
    hang = Delay("nvmlDeviceGetMemoryInfo_v2", 60, device=1)
    host = ScriptedProvider("host")
    loop_lag: list[float] = []

    async def watch_loop() -> None:
        loop = asyncio.get_running_loop()
        while True:
            before = loop.time()
            await asyncio.sleep(0.01)
            loop_lag.append(loop.time() - before - 0.01)

    async def run() -> None:
        timing = Timing(hung_after_s=1.0)
        sampler = Sampler([NvmlProvider(root=NOWHERE), host], interval_s=0.0, timing=timing)
        driver.play(Scenario(gpus=gpus))
        await sampler.sweep(fresh=True)
        driver.play(Scenario(gpus=[Gpu(A, used_bytes=2), Gpu(B, used_bytes=2)], delays=[hang]))
        watcher = asyncio.create_task(watch_loop())
        host_sweeps = host.sweeps()
        answer = await sweep_until(sampler, lambda sweep: sweep.statuses[0].state == "hung")
        readings = {reading.info.key: reading for reading in answer.readings}
        # The part of the running pass that was read, and the rest from before.
        assert used(answer)[:2] == [2, 1]
        assert sampled_at(readings[KEY_B]) < sampled_at(readings[KEY_A])
        assert answer.statuses[1].state == "ok"
        assert host.sweeps() > host_sweeps
        threads = {call.thread for call in driver.calls()}
        driver.play(Scenario(gpus=[Gpu(A, used_bytes=3), Gpu(B, used_bytes=3)]))
        healed = await sweep_until(sampler, lambda sweep: used(sweep)[:2] == [3, 3])
        assert healed.statuses[0].state == "ok"
        assert {call.thread for call in driver.calls()} == threads
        watcher.cancel()
        await sampler.stop()

    asyncio.run(run())
    assert sorted(loop_lag)[len(loop_lag) // 2] < 0.1


def test_stop_does_not_wait_for_a_hang() -> None:
    provider = ScriptedProvider()
    provider.gate.clear()

    async def run() -> None:
        sampler = Sampler([provider], stop_wait_s=0.05, wait_s=0.01)
        await sampler.sweep()
        await until(provider.waiting.is_set)
        await asyncio.wait_for(sampler.stop(), 3)
        assert "close" not in provider.calls
        provider.gate.set()
        await until(lambda: "close" in provider.calls)
        await sampler.sweep()
        assert provider.sweeps() == 1

    asyncio.run(run())


def test_a_fresh_reading_waits_for_a_hang_only_so_long() -> None:
    provider = ScriptedProvider()
    provider.gate.clear()

    async def run() -> None:
        sampler = Sampler([provider], wait_s=0.0, fresh_wait_s=0.05, stop_wait_s=0.0)
        await asyncio.wait_for(sampler.sweep(fresh=True), DEADLINE_S)
        assert sampler.last().statuses[0].state == "starting"
        provider.gate.set()
        await sampler.stop()

    asyncio.run(run())


def test_a_fresh_reading_is_not_waited_for_once_the_driver_is_known_to_hang() -> None:
    provider = ScriptedProvider()
    provider.gate.clear()

    async def run() -> None:
        timing = Timing(hung_after_s=0.02)
        sampler = Sampler([provider], wait_s=0.0, fresh_wait_s=3600, timing=timing)
        await sweep_until(sampler, lambda sweep: sweep.statuses[0].state == "hung")
        await asyncio.wait_for(sampler.sweep(fresh=True), DEADLINE_S)
        provider.gate.set()
        await sampler.stop()

    asyncio.run(run())


def test_a_provider_that_hangs_while_it_closes_is_hung() -> None:
    provider = ScriptedProvider()

    async def run() -> None:
        sampler = Sampler(
            [provider],
            interval_s=0.0,
            wait_s=0.0,
            fresh_wait_s=PATIENT_S,
            timing=Timing(close_after_s=0.0, hung_after_s=0.02),
        )
        provider.close_gate.clear()
        await sampler.sweep(fresh=True)
        await until(lambda: "close" in provider.calls)
        await sweep_until(sampler, lambda sweep: sweep.statuses[0].state == "hung")
        provider.close_gate.set()
        await sweep_until(sampler, lambda sweep: sweep.statuses[0].state == "ok")
        await sampler.stop()

    asyncio.run(run())


def test_a_start_that_hangs_is_a_hang_like_any_and_is_not_begun_again(driver: Standin) -> None:
    """F10."""
    driver.play(Scenario(delays=[Delay("nvmlInitWithFlags", 60)]))

    async def run() -> None:
        timing = Timing(hung_after_s=0.5)
        sampler = Sampler([NvmlProvider(root=NOWHERE)], interval_s=0.0, timing=timing)
        await sweep_until(sampler, lambda sweep: sweep.statuses[0].state == "hung")
        driver.play(Scenario())
        await sweep_until(sampler, lambda sweep: sweep.statuses[0].state == "ok")
        await sampler.stop()

    asyncio.run(run())
    assert driver.count("nvmlInitWithFlags") == 1


def test_figures_of_a_driver_that_was_given_up_on_stay_and_grow_old(clock: Clock) -> None:
    """F41: what its GPUs hold has not changed by that."""
    provider = ScriptedProvider()

    async def run() -> None:
        sampler = Sampler([provider], interval_s=2.0, wait_s=PATIENT_S, clock=clock)
        before = await sampler.sweep()
        for failure, stays in (
            (ProviderUnavailable("hung", "killed", "driver_hangs"), True),
            (ProviderUnavailable("no_driver"), False),
        ):
            provider.failure = failure
            clock.now += 60
            after = await sampler.sweep()
            assert after.statuses[0].state == failure.state
            assert after.readings == (before.readings if stays else ())
        await sampler.stop()

    asyncio.run(run())
