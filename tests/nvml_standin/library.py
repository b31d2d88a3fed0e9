"""Builds the stand-in driver library, puts it before programs, and reads its log."""

from __future__ import annotations

import atexit
import ctypes
import functools
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

import pynvml

from .scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SOURCES = Path(__file__).parent / "src"
LIBRARY = "libnvidia-ml.so.1"
CC = ["cc", "-std=gnu11", "-O1", "-shared", "-fPIC", "-fvisibility=hidden"]
LIBRARIES = ["-lpthread", "-ldl"]
STRICT = ["-Wall", "-Wextra", "-Werror"]


@dataclass(frozen=True)
class Call:
    """A call that reached the driver library, with the error that the scenario made it return."""

    at_s: float
    pid: int
    thread: int
    symbol: str
    device: str
    code: int


class Standin:
    """A driver library in a folder of its own, with its scenario and its log."""

    def __init__(self, folder: Path, *, omit: Sequence[str] = ()) -> None:
        # A copy each: a library loaded from another path keeps a state of its own.
        self.folder = folder / "nvml-standin"
        self.folder.mkdir(parents=True)
        shutil.copy(_build(tuple(omit)), self.folder / LIBRARY)
        self._scenario = self.folder / "scenario.txt"
        self._log = self.folder / "calls.log"
        self.play(Scenario())

    def play(self, scenario: Scenario) -> None:
        """Replace the scenario; the next call sees all of it or nothing."""
        new = self._scenario.with_suffix(".new")
        new.write_text(scenario.text())
        new.replace(self._scenario)

    def env(self) -> dict[str, str]:
        """Return the variables that make a new process use this library as its driver."""
        before = os.environ.get("LD_LIBRARY_PATH")
        return {
            "LD_LIBRARY_PATH": os.pathsep.join(filter(None, (str(self.folder), before))),
            "FAKE_NVML_SCENARIO": str(self._scenario),
            "FAKE_NVML_LOG": str(self._log),
        }

    @contextmanager
    def loaded(self) -> Iterator[None]:
        """Make this process's ``pynvml`` use the library."""
        with use_driver(ctypes.CDLL(str(self.folder / LIBRARY))):
            yield

    def calls(self) -> list[Call]:
        """Return all calls so far, in order."""
        if not self._log.exists():
            return []
        fields = [line.split() for line in self._log.read_text().splitlines()]
        return [Call(float(a), int(p), int(t), s, d, int(c)) for a, p, t, s, d, c in fields]

    def count(self, symbol: str) -> int:
        """Count the calls of one function."""
        return sum(call.symbol == symbol for call in self.calls())

    def sweeps(self) -> int:
        """Count the looks at all devices: each begins by counting them."""
        return self.count("nvmlDeviceGetCount_v2")

    def forget_calls(self) -> None:
        """Empty the log."""
        self._log.unlink(missing_ok=True)


@contextmanager
def no_driver() -> Iterator[None]:
    """Keep ``pynvml`` from finding any library, also one that this machine or a test has."""
    with use_driver(None), mock.patch.object(pynvml, "CDLL", side_effect=OSError("not found")):
        yield


@contextmanager
def use_driver(library: ctypes.CDLL | None) -> Iterator[None]:
    """Let ``pynvml`` have this library loaded, and none of the functions of another one."""
    with (
        mock.patch.object(pynvml, "nvmlLib", library),
        mock.patch.dict(pynvml._nvmlGetFunctionPointer_cache, clear=True),
    ):
        yield


@functools.cache
def _build(omit: tuple[str, ...]) -> Path:
    folder = tempfile.mkdtemp(prefix="nvml-standin-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    target = Path(folder) / LIBRARY
    defines = [f"-DOMIT_{part}" for part in omit]
    sources = sorted(map(str, SOURCES.glob("*.c")))
    subprocess.run(
        [*CC, *STRICT, *defines, *sources, f"-Wl,-soname,{LIBRARY}", "-o", target, *LIBRARIES],
        check=True,
    )
    return target
