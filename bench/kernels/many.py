"""What thirty kernels cost the server: listened to by us, and asked one by one.

``python -m bench.kernels.many``. The other way is that of jupyter-resource-usage, whose handler
opens a client per kernel and request; it is asked here exactly as its page does it, in the same
server, for the same kernels.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from tests.server.live import CHECKOUT, LiveServer

if TYPE_CHECKING:
    from collections.abc import Callable

KERNELS = 30
SECONDS = 20.0
MIB = 2**20
OTHER = "jupyter-resource-usage==1.2.0"
OTHER_ROUTE = "api/metrics/v1/kernel_usage/get_usage"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        packages = folder / "packages"
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
        subprocess.run([*pip, str(packages), OTHER], check=True)
        env = {"PYTHONPATH": os.pathsep.join([str(packages), str(CHECKOUT)])}
        config = folder / "config" / "jupyter_server_config.d"
        config.mkdir(parents=True)
        enabled = {"ServerApp": {"jpserver_extensions": {"jupyter_resource_usage": True}}}
        (config / "other.json").write_text(json.dumps(enabled))
        with LiveServer(folder, env=env) as server:
            report("no kernel, nobody looks", server, lambda: None)
            kernels = [server.start_kernel(path=f"{n}.ipynb") for n in range(KERNELS)]
            for kernel_id in kernels:
                server.attached(kernel_id)
            report(f"{KERNELS} kernels, nobody looks", server, lambda: None)
            report("our panel", server, lambda: server.snapshot() and None)

            def ask_each() -> None:
                for kernel_id in kernels:
                    answer = server.call("GET", f"{OTHER_ROUTE}/{kernel_id}")
                    assert answer.status == 200, answer

            report("jupyter-resource-usage", server, ask_each)


def report(what: str, server: LiveServer, one_round: Callable[[], None]) -> None:
    process = psutil.Process(server.process.pid)
    before, began, rounds = sum(process.cpu_times()[:2]), time.monotonic(), []
    due = began
    while due < began + SECONDS:
        due += 1.0
        started = time.monotonic()
        one_round()
        rounds.append(1000 * (time.monotonic() - started))
        time.sleep(max(0.0, due - time.monotonic()))
    share = (sum(process.cpu_times()[:2]) - before) / (time.monotonic() - began)
    print(
        f"{what}: {100 * share:.1f} % of a core, {process.memory_info().rss / MIB:.0f} MiB,"
        f" {process.num_fds()} descriptors, a round {statistics.median(rounds):.0f} ms",
        flush=True,
    )


if __name__ == "__main__":
    main()
