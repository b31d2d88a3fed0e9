"""Work that may never end is waited for only so long, and done by one thread at a time."""

from __future__ import annotations

import asyncio
import threading

import pytest

from jupyterlab_gpumem.server.errand import Errand

PATIENT_S = 20.0


def test_the_answer_is_that_of_the_work() -> None:
    errand = Errand(0, wait_s=PATIENT_S)
    assert asyncio.run(errand.do(lambda: 7)) == 7


def test_work_that_hangs_leaves_the_last_answer_and_no_second_thread() -> None:
    gate = threading.Event()
    begun: list[int] = []

    def hang() -> int:
        begun.append(1)
        gate.wait(PATIENT_S)
        return 2

    async def ask() -> list[int]:
        errand = Errand(1, wait_s=0.01)
        answers = list(await asyncio.gather(*(errand.do(hang) for _ in range(5))))
        gate.set()
        # Nothing here tells when a thread has ended.
        while (answer := await errand.do(lambda: 3)) == 1:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        return [*answers, answer]

    assert asyncio.run(asyncio.wait_for(ask(), PATIENT_S)) == [1, 1, 1, 1, 1, 2]
    assert begun == [1]


def test_an_asker_that_goes_away_does_not_take_the_answer_along() -> None:
    gate = threading.Event()

    async def ask() -> int:
        errand = Errand(0, wait_s=PATIENT_S)
        gone = asyncio.create_task(errand.do(lambda: gate.wait(PATIENT_S) and 5))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
        gate.set()
        return await errand.do(lambda: 6)

    assert asyncio.run(ask()) == 5


def test_a_failure_is_the_askers_and_the_next_one_works_again() -> None:
    async def ask() -> int:
        errand = Errand(0, wait_s=PATIENT_S)
        with pytest.raises(ZeroDivisionError):
            await errand.do(lambda: 1 // 0)
        return await errand.do(lambda: 8)

    assert asyncio.run(ask()) == 8
