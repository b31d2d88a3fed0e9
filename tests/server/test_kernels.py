"""Kernels in the snapshot: named, attached at start and restart, told apart by language."""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING

import pytest

from .live import PREFIX, LiveServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("kernels")) as live:
        yield live


@pytest.mark.timeout(120)
def test_a_kernel_is_shown_by_its_notebook_and_attached_without_anybody_looking(
    server: LiveServer,
) -> None:
    kernel_id = server.start_kernel(path="train.ipynb")
    entry = server.attached(kernel_id)
    assert (entry["path"], entry["document_name"]) == ("train.ipynb", "train.ipynb")
    assert (entry["name"], entry["document_type"]) == ("python3", "notebook")
    assert entry["display_name"].startswith("Python 3")
    with server.client(kernel_id) as user:
        assert user.value("__import__('os').getpid()") == entry["pid"]
        user.run("1")
    server.until(lambda: server.kernel(kernel_id)["execution_state"] == "idle")


@pytest.mark.timeout(120)
def test_the_agent_is_there_again_after_a_restart_and_after_a_crash(server: LiveServer) -> None:
    kernel_id = server.start_kernel(path="again.ipynb")
    first = server.attached(kernel_id)["pid"]
    assert server.call("POST", f"api/kernels/{kernel_id}/restart").status == 200
    second = server.attached(kernel_id)["pid"]
    assert second != first
    assert server.free(kernel_id, level="cache").status == 200
    os.kill(second, signal.SIGKILL)
    server.until(lambda: server.kernel(kernel_id)["pid"] not in (second, None), limit_s=30)
    server.attached(kernel_id)
    assert server.free(kernel_id, level="cache").status == 200


@pytest.mark.timeout(120)
def test_a_console_is_shown_by_its_name_until_its_tab_is_gone(server: LiveServer) -> None:
    kernel_id = server.start_kernel(path="train.ipynb")
    model = {"path": "console-1", "type": "console", "name": "Console 1"}
    sessions = server.call("GET", "api/sessions").body
    [notebook] = [s["id"] for s in sessions if s["kernel"]["id"] == kernel_id]
    changed = server.call("PATCH", f"api/sessions/{notebook}", body=model)
    assert changed.status == 200, changed
    entry = server.kernel(kernel_id)
    assert (entry["document_name"], entry["document_type"]) == ("Console 1", "console")
    other = server.call("POST", "api/kernels", body={"name": "python3"}).body["id"]
    entry = server.kernel(other)
    assert entry["path"] is entry["document_name"] is entry["document_type"] is None


@pytest.mark.timeout(120)
def test_a_kernel_that_is_shut_down_is_gone(server: LiveServer) -> None:
    kernel_id = server.start_kernel(path="gone.ipynb")
    server.attached(kernel_id)
    assert server.call("DELETE", f"api/kernels/{kernel_id}").status == 204
    assert kernel_id not in [kernel["id"] for kernel in server.snapshot()["kernels"]]


@pytest.mark.timeout(120)
def test_watched_sends_the_agent_only_when_somebody_looks_even_if_a_cell_runs_by_then(
    tmp_path: Path,
) -> None:
    with LiveServer(tmp_path, options=("--GpuMem.attach=watched",)) as server:
        kernel_id = server.start_kernel()
        with server.client(kernel_id) as user:
            loaded = "[n for n in __import__('sys').modules if '_jupyterlab_gpumem' == n]"
            assert user.value(loaded) == []
            user.start("import time; time.sleep(3)")
            assert server.kernel(kernel_id)["agent"]["state"] == "waiting"
            server.attached(kernel_id)
            assert user.value(loaded) == ["_jupyterlab_gpumem"]


@pytest.mark.timeout(120)
def test_a_kernel_that_was_busy_before_is_told_of_at_once_when_somebody_asks(
    tmp_path: Path,
) -> None:
    gate = tmp_path / "gate"
    with LiveServer(tmp_path, options=("--GpuMem.attach=watched",)) as server:
        kernel_id = server.start_kernel()
        with server.client(kernel_id) as user:
            user.run("mine = 1")
            user.start(
                f"import os, time\nwhile not os.path.exists({str(gate)!r}): time.sleep(0.02)"
            )
            server.until(lambda: server.kernel(kernel_id)["execution_state"] == "busy")
            assert server.kernel(kernel_id)["agent"]["state"] == "waiting"
            answer = server.call("POST", f"{PREFIX}/kernels/{kernel_id}/refresh")
            assert (answer.status, answer.body["fresh"]) == (200, True)
            assert answer.body["agent"]["state"] == "attached"
            waits = server.free(kernel_id, level="reset", when_busy="wait")
            assert waits.status == 202, waits
            gate.touch()
            server.until(lambda: server.kernel(kernel_id)["last_free"])
            assert server.kernel(kernel_id)["last_free"]["outcome"] == "freed"
            assert user.run("mine")["ename"] == "NameError"


@pytest.mark.timeout(120)
def test_a_kernel_whose_start_is_pending_is_listed_and_attached_when_it_has_started(
    tmp_path: Path,
) -> None:
    options = ("--AsyncMultiKernelManager.use_pending_kernels=True",)
    with LiveServer(tmp_path, options=options) as server:
        kernel_id = server.start_kernel()
        assert server.kernel(kernel_id)["agent"]["state"] in ("waiting", "attached")
        server.attached(kernel_id)
        assert server.free(kernel_id, level="cache").status == 200


@pytest.mark.timeout(120)
def test_a_kernel_that_the_agent_cannot_start_in_says_why(tmp_path: Path) -> None:
    with LiveServer(tmp_path, options=("--GpuMem.attach=watched",)) as server:
        kernel_id = server.start_kernel()
        with server.client(kernel_id) as user:
            user.run("import zlib\ndef broken(data): raise OSError('no zlib today')")
            user.run("zlib.decompress = broken")
        server.until(lambda: server.kernel(kernel_id)["agent"]["state"] == "failed")
        assert "no zlib today" in server.kernel(kernel_id)["agent"]["reason"]
        answer = server.free(kernel_id, level="cache")
        assert (answer.status, answer.body["reason"]) == (409, "no_agent")
        assert "no zlib today" in answer.body["message"]


@pytest.mark.timeout(120)
def test_a_kernel_of_another_kind_is_listed_and_never_sent_our_code(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "kernels" / "echo"
    folder.mkdir(parents=True)
    script = tmp_path / "echo_kernel.py"
    script.write_text(ECHO_KERNEL)
    argv = [*("python3", str(script)), "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": "Echo", "language": "echo"}
    (folder / "kernel.json").write_text(json.dumps(spec))
    with LiveServer(tmp_path) as server:
        kernel_id = server.start_kernel("echo")
        server.until(lambda: server.kernel(kernel_id)["agent"]["state"] == "unsupported")
        assert "echo" in server.kernel(kernel_id)["agent"]["reason"]
        answer = server.free(kernel_id, level="cache")
        assert (answer.status, answer.body["reason"]) == (409, "no_agent")
        assert not (tmp_path / "executed").exists()


ECHO_KERNEL = """
import pathlib
from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel

class Echo(Kernel):
    implementation = "echo"
    implementation_version = "1"
    language_info = {"name": "echo", "mimetype": "text/plain", "file_extension": ".txt"}
    banner = "echo"

    async def do_execute(self, code, silent, *args, **kwargs):
        (pathlib.Path(__file__).parent / "executed").write_text(code)
        return {"status": "ok", "execution_count": 1, "payload": [], "user_expressions": {}}

IPKernelApp.launch_instance(kernel_class=Echo)
"""
