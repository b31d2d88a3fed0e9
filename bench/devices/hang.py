"""What a driver that hangs for 30 s costs the server: ``python -m bench.devices.hang``."""

from __future__ import annotations

import statistics
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from tests.nvml_standin import Delay, Gpu, Process, Scenario, Standin
from tests.server.live import PREFIX, LiveServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HANG_S = 30.0
CLIENTS, POLLS, INTERVAL_S = 30, 5, 2.0
GPUS = [Gpu(f"GPU-{n:04d}", processes=[Process(1, 2**30)]) for n in range(2)]
HANG = Delay("nvmlDeviceGetMemoryInfo_v2", HANG_S)


def main() -> None:
    for isolate in (True, False):
        print(f"\nGpuMem.isolate_nvml={isolate}")
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), isolate=isolate)


def measure(folder: Path, *, isolate: bool) -> None:
    standin = Standin(folder)
    standin.play(Scenario(gpus=GPUS))
    options = (f"--GpuMem.isolate_nvml={isolate}",)
    with LiveServer(folder, env=standin.env(), options=options) as server:
        server.attached(server.start_kernel())
        standin.forget_calls()
        many(server)
        passed = POLLS - 1
        print(f"{CLIENTS} clients x {POLLS} polls, {passed} intervals: {standin.sweeps()} sweeps")
        for name, scenario in (
            ("at rest", Scenario(gpus=GPUS)),
            (f"hang of {HANG_S:g} s", Scenario(gpus=GPUS, delays=[HANG])),
        ):
            standin.play(scenario)
            print(name, *compare(server, HANG_S), sep="\n  ")
        print("  marked:", marks(server))
        standin.play(Scenario(gpus=GPUS, delays=[Delay(HANG.symbol, 300)]))
        # Whether a call waits still or a new helper has begun another one.
        server.until(lambda: {state for _, state, _ in marks(server)} == {"hung"}, limit_s=90)
        server.snapshot()
        began = time.monotonic()
        server.stop()
        print(f"stopped while the driver hangs, with one kernel: {time.monotonic() - began:.1f} s")


def marks(server: LiveServer) -> list[tuple[str, str, bool]]:
    shown = server.snapshot()
    states = {provider["name"]: provider["state"] for provider in shown["providers"]}
    return [(d["key"], states[d["provider"]], d["stale"]) for d in shown["devices"]]


def many(server: LiveServer) -> None:
    with ThreadPoolExecutor(CLIENTS) as pool:
        for _ in range(POLLS):
            due = time.monotonic() + INTERVAL_S
            list(pool.map(lambda _: server.snapshot(), range(CLIENTS)))
            time.sleep(max(0.0, due - time.monotonic()))


def compare(server: LiveServer, seconds: float) -> Iterator[str]:
    """Ask another endpoint all the time, and ours as a panel does."""
    stop = threading.Event()
    ours: list[float] = []

    def panel() -> None:
        while not stop.is_set():
            ours.append(timed(lambda: server.snapshot()))
            stop.wait(INTERVAL_S / 4)

    watcher = threading.Thread(target=panel)
    watcher.start()
    others = []
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        others.append(timed(lambda: server.call("GET", "api/kernels")))
        time.sleep(0.05)
    stop.set()
    watcher.join()
    yield f"api/kernels: {figures(others)}"
    yield f"{PREFIX}/snapshot: {figures(ours)}"


def timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def figures(times: list[float]) -> str:
    worst, median = max(times), statistics.median(times)
    late = sorted(times)[int(0.99 * len(times))]
    return (
        f"median {median * 1e3:.0f} ms, 99 % within {late * 1e3:.0f} ms,"
        f" worst {worst * 1e3:.0f} ms of {len(times)}"
    )


if __name__ == "__main__":
    main()
