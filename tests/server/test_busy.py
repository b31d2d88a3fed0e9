"""Figures of a kernel at work: fresh where Python lets anybody else run, and else of known age."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.agent.cuda_stand_in import STAND_IN

from .live import LiveServer

if TYPE_CHECKING:
    from collections.abc import Iterator

INTERVAL_MS = 2000
SECONDS = 4.0
LOOPS = {
    "sleep": "time.sleep(0.01)",
    "Python": "sum(range(1000))",
    "PyTorch": "left @ left",
}
CELL = """
import time
stop = time.monotonic() + {seconds}
while time.monotonic() < stop:
    {loop}
    stats['reserved_bytes.all.current'] += 1
"""
# Through PyDLL, so that the call keeps the lock that every other thread waits for.
HOLD_LOCK = "import ctypes; ctypes.PyDLL(None).usleep(4_000_000)"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    options = (f"--GpuMem.interval_s={INTERVAL_MS / 1000}",)
    with LiveServer(tmp_path_factory.mktemp("busy"), options=options) as live:
        yield live


@pytest.fixture(scope="module")
def kernel_id(server: LiveServer) -> str:
    kernel = server.start_kernel()
    server.attached(kernel)
    with server.client(kernel) as user:
        user.run("import torch; left = torch.ones(200, 200)")
        user.run(STAND_IN)
    return kernel


def age_ms(server: LiveServer, kernel_id: str) -> int:
    """Return how old the kernel's own figures are."""
    sampled_at_ms: int = server.kernel(kernel_id)["agent"]["sampled_at_ms"]
    return int(time.time() * 1000) - sampled_at_ms


@pytest.mark.parametrize("loop", LOOPS.values(), ids=list(LOOPS))
@pytest.mark.timeout(120)
def test_the_figures_of_a_running_cell_are_at_most_two_intervals_old(
    server: LiveServer, kernel_id: str, loop: str
) -> None:
    with server.client(kernel_id) as user:
        user.run("pass")
        user.start(CELL.format(seconds=SECONDS, loop=loop))
        stop = time.monotonic() + SECONDS
        ages = []
        while time.monotonic() < stop:
            ages.append(age_ms(server, kernel_id))
            time.sleep(0.1)
        assert server.kernel(kernel_id)["agent"]["state"] == "attached"
    assert max(ages) <= 2 * INTERVAL_MS


@pytest.mark.timeout(120)
def test_a_call_that_lets_nothing_else_run_leaves_the_figures_with_their_age(
    server: LiveServer, kernel_id: str
) -> None:
    with server.client(kernel_id) as user:
        user.run("pass")
        server.until(lambda: age_ms(server, kernel_id) < INTERVAL_MS)
        known = server.kernel(kernel_id)["devices"]
        user.start(HOLD_LOCK)
        server.until(lambda: age_ms(server, kernel_id) >= INTERVAL_MS)
        assert server.kernel(kernel_id)["devices"] == known
        server.until(lambda: age_ms(server, kernel_id) < INTERVAL_MS)
