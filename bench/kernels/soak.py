"""Whether the server grows over restarts of a kernel, each of which sends the agent again.

``python -m bench.kernels.soak [RESTARTS]``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import psutil

from tests.server.live import PREFIX, LiveServer

MIB = 2**20
RESTARTS = 1000
WARM_UP = 10


def main(restarts: int) -> None:
    with tempfile.TemporaryDirectory() as folder, LiveServer(Path(folder)) as server:
        kernel_id = server.start_kernel()
        for number in range(restarts + 1):
            server.attached(kernel_id)
            assert server.free(kernel_id, level="reset").status == 200
            assert server.call("POST", f"{PREFIX}/kernels/{kernel_id}/refresh").body["fresh"]
            if number in (WARM_UP, restarts):
                report(number, server)
            assert server.call("POST", f"api/kernels/{kernel_id}/restart").status == 200


def report(restarts: int, server: LiveServer) -> None:
    process = psutil.Process(server.process.pid)
    print(
        f"after {restarts} restarts: {process.memory_info().rss / MIB:.1f} MiB,"
        f" {process.num_fds()} descriptors, {process.num_threads()} threads",
        flush=True,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RESTARTS)
