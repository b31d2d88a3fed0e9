"""A cleanup and a cell of another client in the same instant."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from .live import LiveServer

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS = 200
APART_S = 0.015
"""How far apart the two are sent at most, either first: about what a cleanup takes to arrive."""
# Kept where no reset comes to: when it ended, by the clock of the machine.
CELL = "import sys, time\nresult = {number}\nsys.ended = time.time()"


@pytest.mark.timeout(180)
def test_a_cleanup_never_takes_what_a_cell_computes_after_it_was_asked_for(tmp_path: Path) -> None:
    chance = random.Random(1)  # noqa: S311  not for secrets
    contested = {200: 0, 409: 0}
    options = ("--GpuMem.providers=[]", "--GpuMem.interval_s=0.5")
    with LiveServer(tmp_path, options=options) as server, ThreadPoolExecutor(1) as other:
        kernel_id = server.start_kernel()
        server.attached(kernel_id)
        with server.client(kernel_id) as user:
            for number in range(ROUNDS):
                apart_s = chance.uniform(-APART_S, APART_S)
                cleanup = other.submit(_reset_after, server, kernel_id, max(0.0, apart_s))
                time.sleep(max(0.0, -apart_s))
                user.run(CELL.format(number=number))
                status = cleanup.result()
                asked_at_s = server.kernel(kernel_id)["last_free"]["requested_at_ms"] / 1000
                ended, left = user.value(
                    "[__import__('sys').ended, get_ipython().user_ns.get('result')]"
                )
                if asked_at_s < ended:
                    contested[status] += 1
                    assert left == number, f"round {number} of {contested}"
    # Else nothing was tried.
    assert contested[200] > 0
    assert contested[409] > 0
    assert sum(contested.values()) > ROUNDS / 3


def _reset_after(server: LiveServer, kernel_id: str, delay_s: float) -> int:
    time.sleep(delay_s)
    return server.free(kernel_id, level="reset").status
