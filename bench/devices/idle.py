"""What the server costs while a panel is open and nothing happens.

``python -m bench.devices.idle``. A panel polls at the default interval; the system tells the CPU
time of the server and its helper.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import psutil

from tests.nvml_standin import Gpu, Process, Scenario, Standin
from tests.server.live import LiveServer

INTERVAL_S = 2.0
SECONDS = 60.0
MIB = 2**20


def main() -> None:
    for gpus, processes in ((1, 3), (8, 50)):
        listed = [Process(1000 + n, 100 * MIB) for n in range(processes)]
        scenario = Scenario(
            gpus=[Gpu(f"GPU-{n:04d}", processes=listed, mig_enabled=False) for n in range(gpus)]
        )
        with tempfile.TemporaryDirectory() as folder:
            standin = Standin(Path(folder))
            standin.play(scenario)
            env = {**standin.env(), "FAKE_NVML_LOG": "/dev/null"}
            with LiveServer(Path(folder), env=env) as server:
                server.attached(server.start_kernel())
                while len(server.snapshot()["devices"]) != gpus:
                    time.sleep(0.1)
                rest = share(server, polling=False)
                panel = share(server, polling=True)
        print(
            f"{gpus} GPUs with {processes} processes each: without a panel {rest:.2f} % of a core,"
            f" with one {panel:.2f} %, so it costs {panel - rest:.2f} %"
        )


def share(server: LiveServer, *, polling: bool) -> float:
    """Return the CPU time of the server and its helper, in percent of a core."""
    if polling:
        server.snapshot()
    before, began = cpu_s(server), time.monotonic()
    due = began
    while due < began + SECONDS:
        due += INTERVAL_S
        time.sleep(max(0.0, due - time.monotonic()))
        if polling:
            server.snapshot()
    return 100 * (cpu_s(server) - before) / (time.monotonic() - began)


def cpu_s(server: LiveServer) -> float:
    process = psutil.Process(server.process.pid)
    helpers = [c for c in process.children() if "isolation.helper" in " ".join(c.cmdline())]
    # Of the server also what its children took that have ended: earlier helpers.
    return sum(process.cpu_times()[:4]) + sum(sum(each.cpu_times()[:2]) for each in helpers)


if __name__ == "__main__":
    main()
