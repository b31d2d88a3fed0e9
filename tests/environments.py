"""The Python environments whose kernels the tests run.

Run as a program to make them ahead of the tests, which have little time.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONSTRAINTS = ROOT / "tests" / "constraints.txt"
OLD_SERVER = "jupyter_server==2.14.2"
OLD_REQUIREMENTS = ("ipykernel>=6.29,<7", "ipython>=8,<9", "numpy", "torch")


@dataclass(frozen=True)
class Environment:
    """A Python that has ipykernel and torch."""

    name: str
    python: Path


def current() -> Environment:
    """Return the environment of the tests themselves: ipykernel 7, IPython 9."""
    return Environment("ipykernel7", Path(sys.executable))


def previous() -> Environment:
    """Return an environment with ipykernel 6 and IPython 8, made if it is not there yet."""
    place = ROOT / ".venv-ipykernel6"
    marker = place / "complete.json"
    wanted = json.dumps(
        {
            "requirements": OLD_REQUIREMENTS,
            "constraints": CONSTRAINTS.read_text(encoding="utf-8"),
            "python": sys.version,
        }
    )
    if not marker.exists() or marker.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(place, ignore_errors=True)
        _make(place)
        # Last: an interrupted installation must not count.
        marker.write_text(wanted, encoding="utf-8")
    return Environment("ipykernel6", place / "bin" / "python")


def _make(place: Path) -> None:
    python = place / "bin" / "python"
    options = ["--quiet", "-c", str(CONSTRAINTS)]
    install = [str(python), "-m", "pip", "install", *options, *OLD_REQUIREMENTS]
    for command in ([sys.executable, "-m", "venv", str(place)], install):
        _run(command, place)


def _run(command: list[str], place: Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        shutil.rmtree(place, ignore_errors=True)
        raise RuntimeError(
            f"Could not make {place}: {' '.join(command)} ended with {done.returncode}.\n"
            f"{done.stdout}{done.stderr}"
        )


def older_server() -> Path:
    """Return a folder with a Jupyter Server that takes every message as activity.

    To be put in front of this environment's packages, which bring all that it needs.
    """
    place = ROOT / ".venv-jupyter-server"
    marker = place / "complete.json"
    if not marker.exists() or marker.read_text(encoding="utf-8") != OLD_SERVER:
        shutil.rmtree(place, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        _run([*pip, "--target", str(place), OLD_SERVER], place)
        marker.write_text(OLD_SERVER, encoding="utf-8")
    return place


if __name__ == "__main__":
    for environment in (current(), previous()):
        print(f"{environment.name}: {environment.python}")
    print(f"{OLD_SERVER}: {older_server()}")
