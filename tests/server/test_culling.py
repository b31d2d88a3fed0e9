"""The server's culler ends kernels as it would without us, though somebody watches all the time."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from tests.environments import OLD_SERVER, older_server

from .live import CHECKOUT, PREFIX, LiveServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TIMEOUT_S = 3
OPTIONS = (
    f"--MappingKernelManager.cull_idle_timeout={TIMEOUT_S}",
    "--MappingKernelManager.cull_interval=1",
    "--MappingKernelManager.cull_connected=True",
    "--GpuMem.interval_s=0.5",
    "--GpuMem.attach=watched",
)


class Watching:
    """A panel that polls all the time, and a user who asks for fresh figures of a busy kernel.

    The first such question sends the agent beside the cell, after which a kernel says it is idle.
    """

    def __init__(self, server: LiveServer, kernel_id: str) -> None:
        self._server = server
        self._kernel_id = kernel_id
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self.polls = 0

    def __enter__(self) -> Watching:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.2):
            self._server.snapshot()
            self._server.call("POST", f"{PREFIX}/kernels/{self._kernel_id}/refresh")
            self.polls += 1


@pytest.fixture(params=["present", OLD_SERVER])
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    env = {}
    if request.param == OLD_SERVER:
        env["PYTHONPATH"] = os.pathsep.join([str(older_server()), str(CHECKOUT)])
    with LiveServer(tmp_path, env=env, options=OPTIONS) as live:
        version = live.call("GET", "api").body["version"]
        assert (version == OLD_SERVER.partition("==")[2]) is bool(env)
        yield live


def runs(server: LiveServer, kernel_id: str) -> bool:
    return server.call("GET", f"api/kernels/{kernel_id}").status == 200


@pytest.mark.timeout(120)
def test_a_busy_silent_kernel_is_spared_and_an_idle_one_is_ended_on_time(
    server: LiveServer, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    busy = server.start_kernel(path="busy.ipynb")
    idle = server.start_kernel(path="idle.ipynb")
    with server.client(busy) as user:
        user.start(f"import os, time\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.05)")
        with Watching(server, busy) as watching:
            server.until(lambda: not runs(server, idle), limit_s=TIMEOUT_S + 20)
            polled = watching.polls
            # Watched for longer than the time-out, and silent all the while.
            server.until(lambda: watching.polls >= polled + 5 * (TIMEOUT_S + 1), limit_s=60)
            assert polled > 0
            assert runs(server, busy)
            entry = server.kernel(busy)
            assert (entry["agent"]["state"], entry["execution_state"]) == ("attached", "busy")
            assert server.call("GET", f"api/kernels/{busy}").body["execution_state"] == "busy"
    gate.touch()
    with Watching(server, idle):
        server.until(lambda: not runs(server, busy), limit_s=TIMEOUT_S + 20)
