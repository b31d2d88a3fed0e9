"""What is released: built from a clean clone of HEAD, tried where no Node.js can be found.

Slow, and blind to changes that are not committed, so it is a stage of its own: ``make wheel``.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.timeout(900)

ROOT = Path(__file__).resolve().parent.parent
LABEXTENSION = "share/jupyter/labextensions/jupyterlab-gpumem"
SERVER_DEADLINE_S = 90


@dataclass(frozen=True)
class Release:
    """The files that would be published."""

    sdist: Path
    wheel: Path

    def names(self) -> set[str]:
        """List what the wheel holds, without the versioned folder of its data."""
        with zipfile.ZipFile(self.wheel) as archive:
            return {name.split(".data/data/")[-1] for name in archive.namelist()}


@dataclass(frozen=True)
class Environment:
    """A virtual environment whose PATH holds its own commands and nothing else."""

    folder: Path
    home: Path

    @classmethod
    def make(cls, folder: Path) -> Environment:
        """Create it beside a home of its own, so that no settings of the user are read."""
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        home = folder.with_name(f"{folder.name}-home")
        home.mkdir()
        return cls(folder, home)

    def variables(self) -> dict[str, str]:
        """Return the variables of its commands: pip keeps its settings, the rest is bare."""
        jupyter = {
            f"JUPYTER_{kind}_DIR": str(self.home / kind.lower())
            for kind in ("CONFIG", "DATA", "RUNTIME")
        }
        return {**os.environ, "PATH": str(self.folder / "bin"), **jupyter}

    def run(self, *command: str | Path) -> str:
        """Run a command and return what it printed; its failure carries that too."""
        done = subprocess.run(
            [self.folder / "bin" / command[0], *command[1:]],
            env=self.variables(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            pytest.fail(f"{' '.join(map(str, command))} failed:\n{done.stdout[-5000:]}")
        return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("release")


@pytest.fixture(scope="module")
def release(folder: Path) -> Release:
    """Build the sdist from a clean clone, then the wheel from the sdist without Node.js."""
    clone = folder / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    builder = Environment.make(folder / "builder")
    builder.run("pip", "install", "--quiet", "build")
    build: list[str | Path] = [
        builder.folder / "bin" / "python",
        "-m",
        "build",
        "--sdist",
        "--outdir",
        folder,
        clone,
    ]
    built = subprocess.run(build, capture_output=True, text=True, check=False)
    if built.returncode:
        pytest.fail(f"The sdist does not build:\n{(built.stdout + built.stderr)[-5000:]}")
    (sdist,) = folder.glob("*.tar.gz")
    builder.run("pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, sdist)
    (wheel,) = folder.glob("*.whl")
    return Release(sdist, wheel)


@pytest.fixture(scope="module")
def installed(folder: Path, release: Release) -> Environment:
    environment = Environment.make(folder / "installed")
    environment.run("pip", "install", "--quiet", release.wheel, "jupyterlab>=4.4,<5")
    return environment


def test_the_wheel_holds_the_built_front_end_and_the_server_config(release: Release) -> None:
    names = release.names()
    assert f"{LABEXTENSION}/package.json" in names
    assert f"{LABEXTENSION}/install.json" in names
    assert "etc/jupyter/jupyter_server_config.d/jupyterlab_gpumem.json" in names
    assert any(name.startswith(f"{LABEXTENSION}/static/remoteEntry.") for name in names)
    assert any(name.startswith(f"{LABEXTENSION}/schemas/") for name in names)


def test_the_front_end_is_a_release_build_and_there_once(release: Release) -> None:
    names = release.names()
    assert [name for name in names if name.endswith((".map", "build_log.json"))] == []
    entries = [name for name in names if "remoteEntry." in name]
    assert len(entries) == 1


def test_the_wheel_holds_what_goes_into_the_kernel_and_its_types(release: Release) -> None:
    names = release.names()
    assert "jupyterlab_gpumem/py.typed" in names
    assert any(name.startswith("jupyterlab_gpumem/agent/") for name in names)
    assert not any(name.startswith(("tests/", "ui-tests/")) for name in names)


def test_no_node_can_be_found_where_the_wheel_is_tried(installed: Environment) -> None:
    code = "import shutil; print(shutil.which('node'), shutil.which('npm'))"
    assert installed.run("python", "-c", code).split() == ["None", "None"]


def test_the_wheel_brings_no_torch(installed: Environment) -> None:
    names = {entry["name"] for entry in json.loads(installed.run("pip", "list", "--format=json"))}
    assert "jupyterlab-gpumem" in names
    assert "torch" not in names


def test_the_lab_extension_is_listed_as_enabled(installed: Environment) -> None:
    listing = installed.run("jupyter", "labextension", "list")
    (line,) = [line for line in listing.splitlines() if "jupyterlab-gpumem v" in line]
    assert "enabled" in line
    assert "OK" in line


def test_the_server_extension_is_listed_as_enabled(installed: Environment) -> None:
    listing = installed.run("jupyter", "server", "extension", "list")
    lines = [line for line in listing.splitlines() if "jupyterlab_gpumem" in line]
    assert any("enabled" in line for line in lines)
    assert any("OK" in line for line in lines)


def test_the_server_answers_a_snapshot(installed: Environment) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command: list[str | Path] = [
        *(installed.folder / "bin" / "jupyter", "lab", "--no-browser", "--allow-root"),
        *(f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=t"),
        f"--ServerApp.root_dir={installed.home}",
    ]
    with subprocess.Popen(
        command, env=installed.variables(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as server:
        try:
            url = f"http://127.0.0.1:{port}/jupyterlab-gpumem/v1/snapshot?token=t"
            status, body = _get_when_up(url, server)
        finally:
            server.terminate()
            output = server.communicate(timeout=30)[0].decode()
    assert status == 200, output
    assert json.loads(body)["wire_version"] == 1


def _get_when_up(url: str, server: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    deadline = time.monotonic() + SERVER_DEADLINE_S
    while True:
        try:
            with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - loopback
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            if server.poll() is not None or time.monotonic() > deadline:
                return 0, b""
            time.sleep(0.2)
