"""F42: many askers, one reading, and readings made on purpose."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.nvml import NvmlProvider
from jupyterlab_gpumem.devices.sampler import Sampler

from .reading import NOWHERE, Clock
from .scripted import PATIENT_S, ScriptedProvider, until

if TYPE_CHECKING:
    from jupyterlab_gpumem.devices.provider import Sweep
    from tests.nvml_standin import Standin


def used(sweep: Sweep) -> list[int | None]:
    return [r.sample.used_bytes if r.sample else None for r in sweep.readings]


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


def test_a_cancelled_request_does_not_cancel_the_others_sweep() -> None:
    provider = ScriptedProvider()
    provider.gate.clear()

    async def run() -> None:
        sampler = Sampler([provider], wait_s=PATIENT_S)
        first = asyncio.create_task(sampler.sweep())
        await until(provider.waiting.is_set)
        second = asyncio.create_task(sampler.sweep())
        await asyncio.sleep(0)
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
        last = await sampler.sweep(fresh=True)
        assert used(last) == [3, 3]
        assert {r.processes[0].used_bytes for r in last.readings if r.processes} == {3}
        await sampler.stop()

    asyncio.run(run())
