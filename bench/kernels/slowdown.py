"""How much slower a training loop runs with the agent in its kernel and a panel that watches.

``python -m bench.kernels.slowdown``. Two kernels take turns, one with the agent and one without;
each turn is one cell of two seconds whose figures change all the time, so that the agent pushes as
often as it ever does. Iterations count per second of CPU time of the loop's own thread, since other
programs share the machine, and so do the two kernels. That is too coarse for what it is to show on
a machine that does anything else. So a long cell is cut into windows as well: those in which the
agent looked against their neighbours, a few hundredths of a second away.
"""

from __future__ import annotations

import bisect
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.agent.cuda_stand_in import STAND_IN
from tests.server.live import LiveServer

if TYPE_CHECKING:
    from tests.server.user import KernelUser

PAIRS = 15
SEGMENT_S = 2.0
INTERVAL_S = 2.0
LOOPS = {
    "pure Python": "for _ in range(2000): total += _ * _",
    "PyTorch on the CPU": "for _ in range(20): total = (left @ right).sum()",
}
PREPARE = "import torch as real\nreal.set_num_threads(1)\nleft = right = real.ones(128, 128)\n"
CELL = """
import sys, time
total, rounds = 0, 0
began, cpu = time.perf_counter(), time.thread_time()
while time.perf_counter() - began < {seconds}:
    {loop}
    rounds += 1
    stats['reserved_bytes.all.current'] = rounds
sys.rate = rounds / (time.thread_time() - cpu)
"""
WINDOW_S = 0.05
LONG_S = 60.0
WINDOWS = """
import sys, time
looks, windows, total = [], [], 0
read = cuda.memory_stats
def look(index):
    looks.append(time.perf_counter())
    return read(index)
cuda.memory_stats = look
began = time.perf_counter()
stop = began + {seconds}
while time.perf_counter() < stop:
    ends, rounds = time.perf_counter() + {window}, 0
    while time.perf_counter() < ends:
        {loop}
        rounds += 1
    stats['reserved_bytes.all.current'] += 1
    windows.append((ends, rounds))
cuda.memory_stats = read
sys.windows = windows
sys.looks = [at for at in looks if began + 0.5 < at < stop - 0.5]
"""
SAMPLER = """[
    int(open(f'/proc/self/task/{t.native_id}/schedstat').read().split()[0]) / 1e9
    for t in __import__('threading').enumerate() if t.name == 'gpumem-sampler'
]"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        watched, plain = Path(folder, "watched"), Path(folder, "plain")
        watched.mkdir()
        plain.mkdir()
        with (
            LiveServer(watched) as server,
            LiveServer(plain, options=("--GpuMem.attach=never",)) as other,
            Panel(server),
            user_of(server) as with_agent,
            user_of(other) as without,
        ):
            for name, loop in LOOPS.items():
                measure(name, CELL.format(seconds=SEGMENT_S, loop=loop), with_agent, without)
                look_closely(name, loop, with_agent)
            empty_cells(with_agent, without)


class Panel:
    """Polls like an open panel."""

    def __init__(self, server: LiveServer) -> None:
        self._server = server
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._poll)

    def __enter__(self) -> Panel:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _poll(self) -> None:
        while not self._ended.wait(INTERVAL_S):
            self._server.snapshot()


def user_of(server: LiveServer) -> KernelUser:
    kernel_id = server.start_kernel()
    server.until(lambda: server.kernel(kernel_id)["agent"]["state"] != "waiting", limit_s=40)
    user = server.client(kernel_id)
    user.run(PREPARE)
    user.run(STAND_IN)
    return user


def measure(name: str, cell: str, with_agent: KernelUser, without: KernelUser) -> None:
    ratios = []
    began = used_by_sampler(with_agent)
    for number in range(PAIRS):
        # In turns first, so that a machine that warms up favours neither.
        pair = [(with_agent, "with"), (without, "without")]
        rates = {key: rate(user, cell) for user, key in (pair if number % 2 else pair[::-1])}
        ratios.append(rates["with"] / rates["without"])
    sampler = (used_by_sampler(with_agent) - began) / (PAIRS * SEGMENT_S)
    low, high = interval(ratios)
    print(
        f"{name}: {100 * (1 - statistics.median(ratios)):+.2f} % slower (median of {PAIRS} pairs,"
        f" 95 % interval {100 * (1 - high):+.2f} to {100 * (1 - low):+.2f} %);"
        f" the agent's thread took {100 * sampler:.3f} % of a core"
    )


def look_closely(name: str, loop: str, user: KernelUser) -> None:
    code = WINDOWS.format(seconds=LONG_S, window=WINDOW_S, loop=loop)
    assert user.run(code, limit_s=LONG_S + 30)["status"] == "ok"
    windows = user.value("__import__('sys').windows")
    ends = [end for end, _ in windows]
    losses = []
    looks = user.value("__import__('sys').looks")
    for at in looks:
        hit = bisect.bisect_left(ends, at)
        around = [windows[hit + off][1] for off in (-3, -2, 2, 3)]
        losses.append(1 - windows[hit][1] / statistics.mean(around))
    per_second = len(looks) / LONG_S * WINDOW_S
    low, high = interval(losses)
    print(
        f"{name}, windows: {100 * per_second * statistics.median(losses):+.3f} % slower"
        f" (95 % interval {100 * per_second * low:+.3f} to {100 * per_second * high:+.3f} %,"
        f" {len(looks)} looks of the agent in {LONG_S:g} s)",
        flush=True,
    )


def rate(user: KernelUser, cell: str) -> float:
    assert user.run(cell)["status"] == "ok"
    value: float = user.value("__import__('sys').rate")
    return value


def used_by_sampler(user: KernelUser) -> float:
    return float(sum(user.value(SAMPLER)))


def interval(values: list[float]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the median."""
    chance = random.Random(1)  # noqa: S311  not for secrets
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(2000))
    return medians[50], medians[-51]


def empty_cells(with_agent: KernelUser, without: KernelUser) -> None:
    took: dict[str, list[float]] = {"with": [], "without": []}
    for _ in range(200):
        for key, user in (("with", with_agent), ("without", without)):
            took[key].append(round_trip_ms(user))
    medians = {key: statistics.median(values) for key, values in took.items()}
    print(
        f"an empty cell: {medians['with']:.2f} ms with the agent, {medians['without']:.2f} ms"
        " without, from sending it to its reply"
    )


def round_trip_ms(user: KernelUser) -> float:
    began = time.perf_counter()
    reply: Any = user.run("pass")
    assert reply["status"] == "ok"
    return 1000 * (time.perf_counter() - began)


if __name__ == "__main__":
    main()
