"""F12 on a real server: the driver's library crashes, and server and kernels are none the worse."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from tests.nvml_standin import Delay, Fault, Gpu, Scenario, Standin
from tests.server.live import LiveServer

from .reading import A

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MEMORY = "nvmlDeviceGetMemoryInfo_v2"


@pytest.fixture
def server(tmp_path: Path, driver: Standin) -> Iterator[LiveServer]:
    options = ("--GpuMem.interval_s=0.5",)
    with LiveServer(tmp_path, env=driver.env(), options=options) as live:
        yield live


def nvml(server: LiveServer) -> Any:
    return next(p for p in server.snapshot()["providers"] if p["name"] == "nvml")


def helpers(server: LiveServer) -> list[psutil.Process]:
    children = psutil.Process(server.process.pid).children()
    return [child for child in children if "isolation.helper" in " ".join(child.cmdline())]


def test_a_crash_of_the_library_costs_figures_only_and_only_for_a_while(
    server: LiveServer, driver: Standin
) -> None:
    kernel_id = server.start_kernel()
    server.until(lambda: nvml(server)["state"] == "ok")
    with server.client(kernel_id) as user:
        user.run("kept = 41")
        crash_and_recover(server, driver)
        assert user.value("kept + 1") == 42


def crash_and_recover(server: LiveServer, driver: Standin) -> None:
    driver.play(Scenario(faults=[Fault(MEMORY, "crash")]))
    server.until(lambda: nvml(server)["state"] == "error")
    assert "SIGSEGV" in nvml(server)["detail"]
    driver.play(Scenario(gpus=[Gpu(A, used_bytes=7)]))
    server.until(
        lambda: [d["memory"]["used_bytes"] for d in server.snapshot()["devices"]] == [7],
        limit_s=30.0,
    )
    assert nvml(server)["state"] == "ok"


def test_a_server_that_ends_while_the_driver_hangs_leaves_no_helper(
    server: LiveServer, driver: Standin
) -> None:
    server.until(lambda: nvml(server)["state"] == "ok")
    [helper] = helpers(server)
    driver.play(Scenario(delays=[Delay(MEMORY, 60)]))
    server.until(lambda: any(d["stale"] for d in server.snapshot()["devices"]))
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(20) == 0
    helper.wait(20)
