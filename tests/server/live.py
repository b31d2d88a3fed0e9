"""A real Jupyter Server in its own process, with our extension, for tests of the whole path."""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.environments import previous

from .user import KernelUser

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CHECKOUT = Path(__file__).parents[2]
PREFIX = "jupyterlab-gpumem/v1"
START_LIMIT_S = 40.0
# Others take seconds to load.
OTHERS = ("jupyterlab", "notebook", "notebook_shim", "jupyter_lsp", "jupyter_server_terminals")
EXTENSIONS = {"jupyterlab_gpumem": True, **dict.fromkeys(OTHERS, False)}


@dataclass(frozen=True)
class Answer:
    """Status, headers and decoded JSON body of an HTTP answer."""

    status: int
    headers: Mapping[str, str]
    body: Any


class LiveServer:
    """Start with ``with LiveServer(tmp_path) as server``; it ends with everything it started."""

    def __init__(
        self,
        folder: Path,
        *,
        env: Mapping[str, str] | None = None,
        options: tuple[str, ...] = (),
        older_kernel: bool = False,
    ) -> None:
        self.folder = folder
        self.token = secrets.token_hex(8)
        self.url = f"http://127.0.0.1:{_free_port()}"
        self.runtime = folder / "runtime"
        self._env = {**_environment(folder), **(env or {})}
        self._options = options
        if older_kernel:
            _offer_older_kernel(folder)
        self._log = folder / "server.log"

    def __enter__(self) -> LiveServer:
        port = self.url.rpartition(":")[2]
        command = [
            *(sys.executable, "-m", "jupyter_server", "--allow-root", "--no-browser"),
            f"--port={port}",
            "--ServerApp.port_retries=0",
            f"--IdentityProvider.token={self.token}",
            f"--ServerApp.root_dir={self.folder}",
            f"--ServerApp.jpserver_extensions={EXTENSIONS}",
            *self._options,
        ]
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                command, env=self._env, stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )
        self.until(self._answers, limit_s=START_LIMIT_S)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self, limit_s: float = 20.0) -> None:
        """Ask the server to end and wait for it; it ends its kernels."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(limit_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def log_text(self) -> str:
        """Return what the server has logged so far."""
        return self._log.read_text(errors="replace")

    def call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        token: bool = True,
        limit_s: float = 50.0,
    ) -> Answer:
        """Send a request; any status is an answer."""
        data = (
            None
            if body is None
            else (body if isinstance(body, bytes) else json.dumps(body).encode())
        )
        request = urllib.request.Request(f"{self.url}/{path}", method=method, data=data)  # noqa: S310
        if token:
            request.add_header("Authorization", f"token {self.token}")
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=limit_s) as response:  # noqa: S310
                return _answer(response.status, dict(response.headers), response.read())
        except urllib.error.HTTPError as error:
            with error:
                return _answer(error.code, dict(error.headers), error.read())

    def snapshot(self) -> Any:
        """Return the present snapshot."""
        answer = self.call("GET", f"{PREFIX}/snapshot")
        assert answer.status == 200, answer
        return answer.body

    def free(self, kernel_id: str, **body: Any) -> Answer:
        """Ask for a cleanup."""
        return self.call("POST", f"{PREFIX}/kernels/{kernel_id}/free", body=body)

    def start_kernel(self, name: str = "python3", *, path: str = "work.ipynb") -> str:
        """Start a notebook session with a kernel and return the kernel's id."""
        model = {"path": path, "type": "notebook", "name": path, "kernel": {"name": name}}
        answer = self.call("POST", "api/sessions", body=model)
        assert answer.status == 201, answer
        kernel_id: str = answer.body["kernel"]["id"]
        return kernel_id

    def kernel(self, kernel_id: str) -> Any:
        """Return the snapshot's entry of one kernel."""
        return next(k for k in self.snapshot()["kernels"] if k["id"] == kernel_id)

    def attached(self, kernel_id: str) -> Any:
        """Wait until the agent is in the kernel and return the kernel's entry."""
        self.until(
            lambda: self.kernel(kernel_id)["agent"]["state"] not in ("waiting",), limit_s=30.0
        )
        entry = self.kernel(kernel_id)
        assert entry["agent"]["state"] == "attached", entry
        return entry

    def until(self, ready: Callable[[], Any], *, limit_s: float = 10.0) -> Any:
        """Wait until ``ready()`` is true and return what it gave."""
        deadline = time.monotonic() + limit_s
        while True:
            result = ready()
            if result:
                return result
            assert self.process.poll() is None, f"server ended:\n{self.log_text()}"
            assert time.monotonic() < deadline, f"not in time; server said:\n{self.log_text()}"
            time.sleep(0.05)

    def client(self, kernel_id: str) -> KernelUser:
        """Talk to a kernel as a notebook would."""
        return KernelUser(self.runtime / f"kernel-{kernel_id}.json")

    def _answers(self) -> bool:
        try:
            return self.call("GET", "api/status").status == 200
        except OSError:
            return False


def _environment(folder: Path) -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    for name in ("runtime", "config", "data", "ipython"):
        (folder / name).mkdir(exist_ok=True)
    return {
        **env,
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "IPYTHONDIR": str(folder / "ipython"),
        "PYTHONPATH": os.pathsep.join([str(CHECKOUT), *filter(None, [env.get("PYTHONPATH")])]),
    }


def _offer_older_kernel(folder: Path) -> None:
    """Offer the kernel ``ipykernel6``: ipykernel 6 and IPython 8, in their own environment."""
    python = str(previous().python)
    argv = [*(python, "-m", "ipykernel_launcher"), "-f", "{connection_file}"]
    spec = {"argv": argv, "display_name": "ipykernel 6", "language": "python"}
    target = folder / "data" / "kernels" / "ipykernel6"
    target.mkdir(parents=True)
    (target / "kernel.json").write_text(json.dumps(spec))


def _answer(status: int, headers: Mapping[str, str], body: bytes) -> Answer:
    try:
        return Answer(status, headers, json.loads(body) if body else None)
    except ValueError:
        return Answer(status, headers, body.decode(errors="replace"))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
