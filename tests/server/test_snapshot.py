"""The snapshot of a real server: NVML through the real binding on the stand-in driver library."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from tests.kernels import check_contract
from tests.nvml_standin import GIB, Delay, Gpu, Process, Scenario, Standin

from .live import PREFIX, LiveServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FIRST = "GPU-aaaa0000-1111-2222-3333-444444444444"
SECOND = "GPU-bbbb0000-1111-2222-3333-444444444444"
CHILD = """
import subprocess, sys
child = subprocess.Popen(
    [sys.executable, "-c", "import time; time.sleep(120)"], start_new_session=True
)
"""


@pytest.fixture
def standin(tmp_path: Path) -> Standin:
    return Standin(tmp_path)


@pytest.fixture
def server(tmp_path: Path, standin: Standin) -> Iterator[LiveServer]:
    with LiveServer(tmp_path, env=standin.env(), options=("--GpuMem.interval_s=0.5",)) as live:
        yield live


def shown(server: LiveServer, uuid: str) -> Any:
    """Return the snapshot's entry of a GPU."""
    key = f"nvml:{uuid.removeprefix('GPU-')}"
    return next((d for d in server.snapshot()["devices"] if d["key"] == key), None)


def curve(server: LiveServer, uuid: str) -> list[int | None]:
    """Return the sizes that the server has kept of a GPU."""
    answer = server.call("GET", f"{PREFIX}/history")
    check_contract(answer.body, "History")
    key = f"nvml:{uuid.removeprefix('GPU-')}"
    [series] = [s for s in answer.body["devices"] if s["key"] == key]
    return [used for _, used in series["points"]]


def with_two_gpus(*processes: Process, used: int = 10 * GIB) -> Scenario:
    first = Gpu(uuid=FIRST, total_bytes=80 * GIB, used_bytes=used, processes=processes)
    return Scenario(gpus=[first, Gpu(uuid=SECOND, total_bytes=24 * GIB, used_bytes=GIB)])


@pytest.mark.timeout(120)
def test_gpus_processes_and_kernels_are_shown_and_follow_the_driver(
    server: LiveServer, standin: Standin
) -> None:
    kernel_id = server.start_kernel(path="train.ipynb")
    pid = server.attached(kernel_id)["pid"]
    with server.client(kernel_id) as user:
        user.run(CHILD)
        child = user.value("child.pid")
        standin.play(with_two_gpus(Process(pid, 4 * GIB), Process(child, GIB), Process(1, 2 * GIB)))
        server.until(lambda: (d := shown(server, FIRST)) and len(d["processes"]) == 3)
        first = shown(server, FIRST)
        owners = {p["pid"]: (p["kernel_id"], p["relation"]) for p in first["processes"]}
        assert owners == {
            pid: (kernel_id, "kernel"),
            child: (kernel_id, "child"),
            1: (None, "other"),
        }
        assert first["memory"]["total_bytes"] == 80 * GIB
        assert first["memory"]["used_bytes"] == 10 * GIB
        assert (first["other_bytes"], first["unattributed_bytes"]) == (2 * GIB, 3 * GIB)
        assert shown(server, SECOND)["processes"] == []
        [mine] = server.kernel(kernel_id)["devices"]
        assert (mine["key"], mine["used_bytes"]) == (first["key"], 5 * GIB)
        # No PyTorch in this kernel: what its allocator holds is not known, which is not nothing.
        assert mine["allocated_bytes"] is None
        # The driver says something else while the server runs.
        standin.play(with_two_gpus(Process(child, 3 * GIB), used=20 * GIB))
        server.until(lambda: shown(server, FIRST)["memory"]["used_bytes"] == 20 * GIB)
        server.until(lambda: server.kernel(kernel_id)["devices"][0]["used_bytes"] == 3 * GIB)
        assert curve(server, FIRST)[-1] == 20 * GIB
        assert 10 * GIB in curve(server, FIRST)
    check_contract(server.snapshot(), "Snapshot")
    assert [p["state"] for p in server.snapshot()["providers"] if p["name"] == "nvml"] == ["ok"]
    left_behind(server, kernel_id, child)
    later = server.call("GET", f"{PREFIX}/history?since_ms={int(time.time() * 1000) + 60_000}")
    assert not any(series["points"] for series in later.body["devices"])
    refused = server.call("GET", f"{PREFIX}/history?since_ms=yesterday")
    assert (refused.status, refused.body["field"]) == (400, "since_ms")


def left_behind(server: LiveServer, kernel_id: str, child: int) -> None:
    """Restart the kernel; its child lives in a session of its own and keeps the memory."""
    assert server.call("POST", f"api/kernels/{kernel_id}/restart").status == 200
    [process] = server.until(
        lambda: [p for p in shown(server, FIRST)["processes"] if p["relation"] == "orphan"]
    )
    assert (process["pid"], process["kernel_id"]) == (child, None)
    # Listed, and left alone: what to do with it is the user's to decide.
    orphan = psutil.Process(child)
    assert orphan.is_running()
    orphan.kill()


@pytest.mark.timeout(120)
def test_without_a_driver_the_snapshot_says_so_and_shows_the_machines_memory(
    tmp_path: Path,
) -> None:
    def looked(snapshot: Any) -> Any:
        starting = any(p["state"] == "starting" for p in snapshot["providers"])
        return snapshot if snapshot["devices"] and not starting else None

    with LiveServer(tmp_path) as server:
        snapshot = server.until(lambda: looked(server.snapshot()), limit_s=20)
    check_contract(snapshot, "Snapshot")
    [nvml] = [p for p in snapshot["providers"] if p["name"] == "nvml"]
    assert nvml["state"] == "no_library"
    assert nvml["hint"]
    assert [d["kind"] for d in snapshot["devices"]] == ["host"]
    assert snapshot["devices"][0]["memory"]["total_bytes"] > 0


@pytest.mark.timeout(120)
def test_twenty_clients_at_once_cause_one_look_at_the_devices(
    tmp_path: Path, standin: Standin
) -> None:
    # An interval that no machine is slow enough to outlast.
    options = ("--GpuMem.interval_s=120",)
    with LiveServer(tmp_path, env=standin.env(), options=options) as server:
        with ThreadPoolExecutor(20) as clients:
            answers = list(clients.map(lambda _: server.snapshot(), range(20)))
        assert standin.sweeps() <= 1  # the driver may still be starting
        server.until(lambda: shown(server, Gpu().uuid.lower().replace("gpu-", "GPU-")))
        assert standin.sweeps() == 1
    assert len(answers) == 20


@pytest.mark.timeout(120)
def test_the_same_snapshot_is_not_sent_twice(tmp_path: Path, standin: Standin) -> None:
    options = ("--GpuMem.interval_s=120",)
    with LiveServer(tmp_path, env=standin.env(), options=options) as server:
        # Until every source has answered once the snapshot still changes.
        server.until(lambda: all(p["state"] != "starting" for p in server.snapshot()["providers"]))
        etag = server.call("GET", f"{PREFIX}/snapshot").headers["Etag"]
        again = server.call("GET", f"{PREFIX}/snapshot", headers={"If-None-Match": etag})
        assert (again.status, again.body) == (304, None)
        server.attached(server.start_kernel())
        changed = server.call("GET", f"{PREFIX}/snapshot", headers={"If-None-Match": etag})
        assert changed.status == 200


@pytest.mark.timeout(120)
def test_a_driver_that_hangs_delays_nobody_and_is_called_so(
    server: LiveServer, standin: Standin
) -> None:
    standin.play(with_two_gpus())
    server.until(lambda: shown(server, FIRST))
    hang = Delay("nvmlDeviceGetMemoryInfo_v2", seconds=30)
    standin.play(Scenario(gpus=with_two_gpus().gpus, delays=[hang]))
    slowest = {"status": 0.0, "snapshot": 0.0}

    def watch() -> bool:
        for name, path in (("status", "api/status"), ("snapshot", f"{PREFIX}/snapshot")):
            began = time.monotonic()
            assert server.call("GET", path).status == 200
            slowest[name] = max(slowest[name], time.monotonic() - began)
        [nvml] = [p for p in server.snapshot()["providers"] if p["name"] == "nvml"]
        hung: bool = nvml["state"] == "hung"
        return hung

    server.until(watch, limit_s=20)
    # The hang lasts 30 s, so what waits for it is far off these limits on any machine.
    assert slowest["status"] < 5
    assert slowest["snapshot"] < 5
    # What is known stays, and says how old it is.
    stale = server.until(lambda: (d := shown(server, FIRST)) and d["stale"] and d)
    assert stale["memory"]["used_bytes"] == 10 * GIB
    # It comes back by itself.
    standin.play(with_two_gpus(used=12 * GIB))
    server.until(lambda: shown(server, FIRST)["memory"]["used_bytes"] == 12 * GIB, limit_s=20)


@pytest.mark.timeout(120)
def test_the_server_stops_promptly_during_a_hang(server: LiveServer, standin: Standin) -> None:
    hang = Delay("nvmlDeviceGetMemoryInfo_v2", seconds=60)
    standin.play(Scenario(delays=[hang]))
    server.until(lambda: standin.count("nvmlDeviceGetMemoryInfo_v2") or server.snapshot() is None)
    server.stop(limit_s=20)
    assert server.process.returncode is not None
