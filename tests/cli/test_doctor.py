"""``jupyter gpumem doctor``, run as a user would."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jupyterlab_gpumem.cli import main as command
from jupyterlab_gpumem.cli.doctor import WRONG
from jupyterlab_gpumem.cli.servers import server_checks
from tests.kernels import check_contract
from tests.nvml_standin import Fault, Gpu, Scenario, Standin
from tests.server.live import LiveServer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CHECKOUT = Path(__file__).parents[2]


def run(folder: Path, *arguments: str, env: Mapping[str, str] | None = None) -> tuple[int, str]:
    """Run the command with the runtime folder of the servers below ``folder``."""
    done = subprocess.run(
        [sys.executable, "-m", "jupyterlab_gpumem.cli", "doctor", *arguments],
        env={**os.environ, **(env or {}), "JUPYTER_RUNTIME_DIR": str(folder / "runtime")},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.timeout(120)
def test_without_a_gpu_and_a_server_nothing_is_wrong(tmp_path: Path) -> None:
    code, text = run(tmp_path, "--json")
    assert code == 0
    found = json.loads(text)
    check_contract(found, "Diagnostics")
    [nvml] = [c for c in found["checks"] if c["detail"].startswith("nvml")]
    assert (nvml["state"], nvml["hint"]) == ("info", "install_driver")
    assert [c["name"] for c in found["checks"]].count("kernel") == 0


@pytest.mark.timeout(120)
def test_what_is_wrong_is_named_with_a_remedy_beside_the_kernels_of_a_server(
    tmp_path: Path,
) -> None:
    standin = Standin(tmp_path)
    gpus = [Gpu(), Gpu(uuid="GPU-bbbb", name="NVIDIA A100")]
    standin.play(Scenario(gpus=gpus, faults=[Fault("*", 15, device=1)]))
    with LiveServer(tmp_path, env=standin.env()) as server:
        server.attached(server.start_kernel(path="train.ipynb"))
        code, text = run(tmp_path, env=standin.env())
    assert code == WRONG
    lines = text.splitlines()
    [lost] = [n for n, line in enumerate(lines) if line.endswith(": lost")]
    assert lines[lost].startswith("error    device")
    assert "no longer answers" in lines[lost + 1]
    assert any(line.startswith("ok") and "libnvidia-ml" in line for line in lines)
    assert any(line.startswith("ok       kernel") and "train.ipynb" in line for line in lines)
    assert lines[-1] == "To be repaired: 1."


class Stranger(BaseHTTPRequestHandler):
    """Answers with one status and body, whatever is asked."""

    status = 200
    body = b""

    def do_GET(self) -> None:
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextlib.contextmanager
def answering(status: int, body: bytes = b"") -> Iterator[dict[str, Any]]:
    """Run a server, and yield what ``jupyter server list`` would know of it."""
    handler = type("One", (Stranger,), {"status": status, "body": body})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield {"url": f"http://127.0.0.1:{server.server_port}/", "token": "t"}
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("status", "body", "hint"),
    [
        (403, b"", "sign_in"),
        (404, b"", "extension_missing"),
        (500, b"", None),
        (200, b"<html>sign in</html>", None),
        (200, b'{"checks": 7}', None),
        (200, b'{"checks": [{"name": "kernel"}]}', None),
    ],
)
def test_a_server_that_does_not_tell_is_a_finding(
    status: int, body: bytes, hint: str | None
) -> None:
    with answering(status, body) as server:
        [check] = server_checks(server)
    assert (check["name"], check["state"], check["hint"]) == ("server", "warning", hint)
    assert server["url"] in check["detail"]


def test_a_server_that_has_gone_is_a_finding() -> None:
    with answering(200) as server:
        pass
    [check] = server_checks(server)
    assert (check["state"], check["hint"]) == ("warning", None)


def test_a_server_on_a_socket_file_is_not_asked() -> None:
    [check] = server_checks({"url": "http+unix://%2Ftmp%2Fx.sock/", "token": ""})
    assert check["state"] == "info"


@pytest.mark.parametrize("arguments", [[], ["surgeon"], ["doctor", "--xml"]])
def test_wrong_usage_is_told_apart_by_its_exit_code(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        command.main(arguments)
    assert end.value.code == 2
    assert "usage: jupyter gpumem" in capsys.readouterr().err


def test_the_command_is_installed_as_a_subcommand_of_jupyter() -> None:
    project = (CHECKOUT / "pyproject.toml").read_text()
    assert 'jupyter-gpumem = "jupyterlab_gpumem.cli.main:main"' in project
