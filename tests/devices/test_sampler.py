"""F41, F42 and the cadence: many askers, one reading; nothing waits for a driver that hangs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.nvml import NvmlProvider
from jupyterlab_gpumem.devices.sampler import Sampler
from jupyterlab_gpumem.devices.timing import Timing
from tests.nvml_standin import Delay, Gpu, Scenario, Standin

from .reading import KEY_A, KEY_B, NOWHERE, A, B, Clock
from .scripted import DEADLINE_S, PATIENT_S, ScriptedProvider, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from jupyterlab_gpumem.devices.provider import DeviceReading, Sweep


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


@pytest.mark.parametrize("askers", [20, 200])
def test_any_number_of_simultaneous_requests_cause_one_sweep_in_one_thread(
    driver: Standin, askers: int
) -> None:
    """F42."""

    async def run() -> None:
        sampler = Sampler([NvmlProvider(root=NOWHERE)], wait_s=PATIENT_S)
        answers = await asyncio.gather(*(sampler.sweep() for _ in range(askers)))
        assert {answer.statuses[0].state for answer in answers} == {"ok"}
        assert {answer.seq for answer in answers} == {answers[0].seq}
        await sampler.stop()

    asyncio.run(run())
    assert driver.sweeps() == 1
    assert len({call.thread for call in driver.calls()}) == 1


def test_polls_cause_as_many_sweeps_as_intervals_passed(driver: Standin, clock: Clock) -> None:
    async def run() -> None:
        sampler = Sampler(
            [NvmlProvider(root=NOWHERE)], interval_s=2.0, wait_s=PATIENT_S, clock=clock
        )
        for _ in range(5):
            for _ in range(4):
                await asyncio.gather(*(sampler.sweep() for _ in range(30)))
                clock.now += 0.5
        await sampler.stop()

    asyncio.run(run())
    assert driver.sweeps() == 5


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


def test_a_cancelled_request_does_not_cancel_the_others_sweep() -> None:
    provider = ScriptedProvider()
    provider.gate.clear()

    async def run() -> None:
        sampler = Sampler([provider], wait_s=PATIENT_S)
        first = asyncio.create_task(sampler.sweep())
        second = asyncio.create_task(sampler.sweep())
        await until(provider.waiting.is_set)
        first.cancel()
        await asyncio.sleep(0)
        provider.gate.set()
        assert used(await second) == [1, 1]
        await sampler.stop()

    asyncio.run(run())
    assert provider.sweeps() == 1


def test_a_fresh_reading_starts_after_the_call_even_if_one_is_under_way(clock: Clock) -> None:
    provider = ScriptedProvider()
    provider.gate.clear()

    async def run() -> None:
        sampler = Sampler([provider], fresh_wait_s=PATIENT_S, wait_s=0.0, clock=clock)
        await sampler.sweep()
        await until(provider.waiting.is_set)
        # Device a of the running pass was read before this.
        provider.used_bytes = 2
        fresh = [asyncio.create_task(sampler.sweep(fresh=True)) for _ in range(3)]
        await asyncio.sleep(0)
        provider.gate.set()
        for answer in await asyncio.gather(*fresh):
            assert used(answer) == [2, 2]
            assert {r.processes[0].used_bytes for r in answer.readings if r.processes} == {2}
        assert provider.sweeps() == 2
        provider.used_bytes = 3
        assert used(await sampler.sweep()) == [2, 2]
        assert used(await sampler.sweep(fresh=True)) == [3, 3]
        await sampler.stop()

    asyncio.run(run())


def test_a_fresh_reading_waits_for_a_hang_only_so_long() -> None:
    provider = ScriptedProvider()
    provider.gate.clear()

    async def run() -> None:
        sampler = Sampler([provider], wait_s=0.0, fresh_wait_s=0.05, stop_wait_s=0.0)
        await asyncio.wait_for(sampler.sweep(fresh=True), DEADLINE_S)
        provider.gate.set()
        await sampler.stop()

    asyncio.run(run())
