"""Cleanups that wait for a cell, in real kernels of a real server."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from tests.kernels import check_contract

from .live import PREFIX, LiveServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .user import KernelUser

pytestmark = pytest.mark.timeout(120)

GATE = "import os, time\nmine = 1\nwhile not os.path.exists({gate!r}): time.sleep(0.02)\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("operations"), older_kernel=True) as live:
        yield live


@pytest.fixture(scope="module", params=["python3", "ipykernel6"])
def kernel_id(server: LiveServer, request: pytest.FixtureRequest) -> str:
    kernel = server.start_kernel(request.param, path=f"{request.param}.ipynb")
    server.attached(kernel)
    return kernel


class Gate:
    """Holds a cell back until the test opens it."""

    def __init__(self, server: LiveServer, kernel_id: str, path: Path) -> None:
        self._server = server
        self._kernel_id = kernel_id
        self._path = path
        self.cell = GATE.format(gate=str(path))

    def hold(self, user: KernelUser, after: str = "") -> None:
        """Start a cell that waits, then does ``after``."""
        user.start(self.cell + after)
        self._server.until(
            lambda: self._server.kernel(self._kernel_id)["execution_state"] == "busy"
        )

    def open(self) -> None:
        self._path.touch()


@pytest.fixture
def gate(server: LiveServer, kernel_id: str, tmp_path: Path) -> Gate:
    return Gate(server, kernel_id, tmp_path / "gate")


def status(server: LiveServer, kernel_id: str, method: str = "GET") -> Any:
    answer = server.call(method, f"{PREFIX}/kernels/{kernel_id}/free")
    assert answer.status == 200, answer
    check_contract(answer.body, "FreeStatus")
    return answer.body


def wait_in(server: LiveServer, kernel_id: str, **body: Any) -> str:
    """Ask for a cleanup that has to wait, and return its id."""
    answer = server.free(kernel_id, **{"level": "reset", "when_busy": "wait", **body})
    assert answer.status == 202, answer
    check_contract(answer.body, "FreeStatus")
    operation = answer.body["operation"]
    assert operation["state"] == "waiting"
    # A page that is loaded now sees it too.
    assert server.kernel(kernel_id)["operation"] == operation
    identity: str = operation["id"]
    return identity


def ended(server: LiveServer, kernel_id: str, identity: str) -> Any:
    """Wait for the end of a cleanup as a page does, and return the status."""
    server.until(
        lambda: (server.kernel(kernel_id)["last_free"] or {}).get("id") == identity, limit_s=30
    )
    found = status(server, kernel_id)
    assert found["operation"] is None
    assert found["last"]["id"] == identity
    return found


def test_an_idle_kernel_is_cleaned_at_once_even_by_who_would_wait(
    server: LiveServer, kernel_id: str
) -> None:
    done = server.free(kernel_id, level="cache", when_busy="wait")
    assert done.status == 200
    found = status(server, kernel_id)
    assert found["last"]["outcome"] == "freed"
    assert found["report"] == done.body


def test_a_cleanup_waits_for_the_cell_and_its_report_is_kept(
    server: LiveServer, kernel_id: str, gate: Gate
) -> None:
    with server.client(kernel_id) as user:
        gate.hold(user, "result = 2")
        identity = wait_in(server, kernel_id)
        gate.open()
        found = ended(server, kernel_id, identity)
        assert found["last"]["outcome"] == "freed"
        assert "result" in {each["path"] for each in found["report"]["dropped"]}
        assert user.run("mine")["ename"] == "NameError"


def test_cells_that_are_queued_run_before_the_cleanup(
    server: LiveServer, kernel_id: str, gate: Gate
) -> None:
    with server.client(kernel_id) as user:
        gate.hold(user)
        for number in range(5):
            user.start(f"step{number} = mine + {number}; time.sleep(0.1)")
        identity = wait_in(server, kernel_id)
        gate.open()
        dropped = ended(server, kernel_id, identity)["report"]["dropped"]
        assert {f"step{number}" for number in range(5)} <= {each["path"] for each in dropped}


def test_a_failing_cell_that_takes_the_queue_along_does_not_take_the_cleanup(
    server: LiveServer, kernel_id: str, gate: Gate
) -> None:
    with server.client(kernel_id) as user:
        gate.hold(user, "raise RuntimeError('stops the queue')")
        for _ in range(3):
            user.start("never = 1")
        identity = wait_in(server, kernel_id)
        gate.open()
        dropped = ended(server, kernel_id, identity)["report"]["dropped"]
        assert "mine" in {each["path"] for each in dropped}
        assert "never" not in {each["path"] for each in dropped}


def test_a_waiting_cleanup_can_be_cancelled_and_nothing_is_lost(
    server: LiveServer, kernel_id: str, gate: Gate
) -> None:
    with server.client(kernel_id) as user:
        gate.hold(user)
        identity = wait_in(server, kernel_id)
        second = server.free(kernel_id, level="cache", when_busy="wait")
        assert (second.status, second.body["reason"]) == (409, "in_progress")
        cancelled = status(server, kernel_id, "DELETE")
        assert cancelled["operation"] is None
        assert cancelled["last"] == server.kernel(kernel_id)["last_free"]
        assert (cancelled["last"]["id"], cancelled["last"]["outcome"]) == (identity, "cancelled")
        again = server.call("DELETE", f"{PREFIX}/kernels/{kernel_id}/free")
        assert (again.status, again.body["reason"]) == (409, "nothing_waits")
        gate.open()
        assert user.run("mine")["status"] == "ok"


def test_who_has_waited_long_enough_can_interrupt_instead(
    server: LiveServer, kernel_id: str, gate: Gate
) -> None:
    with server.client(kernel_id) as user:
        gate.hold(user)
        identity = wait_in(server, kernel_id)
        done = server.free(kernel_id, level="reset", when_busy="interrupt")
        assert done.status == 200, done
        assert server.kernel(kernel_id)["last_free"]["id"] != identity
        assert user.run("mine")["ename"] == "NameError"


@pytest.mark.parametrize("way", ["restart", "crash"])
def test_a_waiting_cleanup_ends_with_its_process(
    server: LiveServer, kernel_id: str, gate: Gate, way: str
) -> None:
    with server.client(kernel_id) as user:
        gate.hold(user)
        identity = wait_in(server, kernel_id)
    if way == "restart":
        assert server.call("POST", f"api/kernels/{kernel_id}/restart").status == 200
    else:
        os.kill(server.kernel(kernel_id)["pid"], signal.SIGKILL)
    found = ended(server, kernel_id, identity)
    assert found["last"]["outcome"] == "failed"
    assert found["error"]["reason"] == "kernel_failed"
    assert "restarted" in found["error"]["message"]
    server.attached(kernel_id)
    assert server.free(kernel_id, level="cache").status == 200


def test_what_is_told_of_a_kernel_ends_with_it(server: LiveServer, tmp_path: Path) -> None:
    kernel_id = server.start_kernel(path="gone.ipynb")
    server.attached(kernel_id)
    with server.client(kernel_id) as user:
        Gate(server, kernel_id, tmp_path / "gate").hold(user)
        wait_in(server, kernel_id)
    assert server.call("DELETE", f"api/kernels/{kernel_id}").status == 204
    for method in ("GET", "DELETE"):
        answer = server.call(method, f"{PREFIX}/kernels/{kernel_id}/free")
        assert (answer.status, answer.body["reason"]) == (404, "unknown_kernel")


def test_a_broken_cuda_is_recognised_and_calls_for_a_restart(
    server: LiveServer, kernel_id: str
) -> None:
    with server.client(kernel_id) as user:
        user.run(
            "import gc\n"
            "def broken(*_): raise RuntimeError('CUDA error: device-side assert triggered')\n"
            "whole, gc.collect = gc.collect, broken"
        )
        report = server.free(kernel_id, level="cache").body
        user.run("gc.collect = whole")
        assert report["needs_restart"] is True
        assert server.free(kernel_id, level="cache").body["needs_restart"] is False
