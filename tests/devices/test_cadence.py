"""The cadence: lists more rarely, growing waits, closing when idle, and what is logged."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from jupyterlab_gpumem.devices.provider import ProviderUnavailable
from jupyterlab_gpumem.devices.sampler import Sampler
from jupyterlab_gpumem.devices.timing import Timing

from .scripted import PATIENT_S, ScriptedProvider, until

if TYPE_CHECKING:
    import pytest

    from .reading import Clock


def test_nothing_is_read_when_nobody_asks(clock: Clock) -> None:
    provider = ScriptedProvider()

    async def run() -> None:
        sampler = Sampler([provider], clock=clock)
        assert sampler.last().statuses[0].state == "starting"
        await asyncio.sleep(0.05)
        await sampler.stop()

    asyncio.run(run())
    assert provider.calls == []


def test_process_lists_are_read_more_rarely_than_memory(clock: Clock) -> None:
    provider = ScriptedProvider()

    async def run() -> None:
        sampler = Sampler([provider], interval_s=0.5, wait_s=PATIENT_S, clock=clock)
        for _ in range(9):
            await sampler.sweep()
            clock.now += 0.5
        await sampler.stop()

    asyncio.run(run())
    assert provider.calls.count("sample a") == 9
    assert provider.calls.count("list a") == 3


def test_costly_process_lists_take_a_twentieth_of_the_time_at_most(clock: Clock) -> None:
    provider = ScriptedProvider()

    def take_a_quarter_second() -> None:
        clock.now += 0.25

    provider.before_list = take_a_quarter_second

    async def run() -> None:
        sampler = Sampler([provider], interval_s=1.0, wait_s=PATIENT_S, clock=clock)
        for _ in range(20):
            await sampler.sweep()
            clock.now += 1.0
        await sampler.stop()

    asyncio.run(run())
    # Two devices take half a second, so the next lists are due ten seconds later.
    assert provider.calls.count("list a") == 2


def test_a_failing_provider_is_closed_and_tried_again_after_growing_waits(clock: Clock) -> None:
    provider = ScriptedProvider()
    provider.failure = ProviderUnavailable("no_driver", "gone", "load_driver")
    waits = []

    async def run() -> None:
        sampler = Sampler([provider], wait_s=PATIENT_S, clock=clock)
        for attempt in range(1, 8):
            before = clock.now
            while provider.calls.count("open") < attempt:
                status = (await sampler.sweep()).statuses[0]
                assert (status.state, status.hint) == ("no_driver", "load_driver")
                clock.now += 0.5
            waits.append(clock.now - 0.5 - before)
            clock.now -= 0.5
        assert provider.calls.count("close") == provider.calls.count("open")
        provider.failure = None
        clock.now += 60
        assert (await sampler.sweep()).statuses[0].state == "ok"
        await sampler.stop()

    asyncio.run(run())
    assert waits == [0, 1, 2, 5, 15, 60, 60]


def test_an_unexpected_exception_is_a_state_with_its_text(clock: Clock) -> None:
    provider = ScriptedProvider()
    provider.failure = ZeroDivisionError("oh no")

    async def run() -> None:
        sampler = Sampler([provider], wait_s=PATIENT_S, clock=clock)
        status = (await sampler.sweep()).statuses[0]
        assert (status.state, status.detail) == ("error", "ZeroDivisionError: oh no")
        await sampler.stop()

    asyncio.run(run())


def test_a_provider_is_closed_when_nobody_asks_and_opened_again(clock: Clock) -> None:
    provider = ScriptedProvider()

    async def run() -> None:
        sampler = Sampler(
            [provider], interval_s=0.0, wait_s=PATIENT_S, timing=Timing(close_after_s=0.05)
        )
        await sampler.sweep()
        await until(lambda: "close" in provider.calls)
        assert (await sampler.sweep()).statuses[0].state == "ok"
        assert provider.calls.count("open") == 2
        await sampler.stop()

    asyncio.run(run())
    assert len(provider.threads) == 1


def test_a_sleeping_gpu_is_asked_about_at_every_interval(clock: Clock) -> None:
    provider = ScriptedProvider()
    provider.failure = ProviderUnavailable("asleep")

    async def run() -> None:
        sampler = Sampler([provider], interval_s=2.0, wait_s=PATIENT_S, clock=clock)
        for _ in range(4):
            await sampler.sweep()
            clock.now += 2.0
        await sampler.stop()

    asyncio.run(run())
    assert provider.calls.count("open") == 4


def test_only_changes_of_state_are_logged(clock: Clock, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="jupyterlab_gpumem")
    provider = ScriptedProvider()

    async def run() -> None:
        sampler = Sampler([provider], wait_s=PATIENT_S, clock=clock)
        for failure in (None, ProviderUnavailable("no_driver", "gone"), None):
            provider.failure = failure
            for _ in range(3):
                await sampler.sweep()
                clock.now += 100
        await sampler.stop()

    asyncio.run(run())
    assert [record.levelname for record in caplog.records] == ["INFO", "WARNING", "INFO"]
    assert "no_driver. gone" in caplog.records[1].getMessage()


def test_the_sequence_number_grows_only_with_changes(clock: Clock) -> None:
    async def run() -> None:
        sampler = Sampler([ScriptedProvider()], wait_s=PATIENT_S, clock=clock)
        first = await sampler.sweep()
        assert (await sampler.sweep()).seq == first.seq == sampler.last().seq
        clock.now += 2.0
        assert (await sampler.sweep()).seq == first.seq + 1
        await sampler.stop()

    asyncio.run(run())
