"""Figures of simulated GPUs, shared between processes: one small JSON file per process.

Plays the part of the driver, which alone knows what every process holds. Standard library only;
psutil is used where there is no ``/proc``.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER = "gpumem-simulated"
MAX_FILE_BYTES = 1 << 16
MAX_TEXT = 100


@dataclass(frozen=True)
class DeviceUse:
    """What one process holds on one simulated GPU."""

    index: int
    uuid: str
    name: str
    total_bytes: int
    used_bytes: int


@dataclass(frozen=True)
class Entry:
    """The figures of one process; ``start_time`` tells a re-used pid."""

    pid: int
    start_time: float | None
    devices: tuple[DeviceUse, ...]


def default_folder() -> Path:
    """Return the folder inside Jupyter's runtime directory, which server and kernels share."""
    runtime = os.environ.get("JUPYTER_RUNTIME_DIR")
    if not runtime:
        from jupyter_core.paths import jupyter_runtime_dir

        runtime = jupyter_runtime_dir()
    return Path(runtime) / FOLDER


class Ledger:
    """Write the figures of this process; a forked child leaves its parent's file alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._pid = os.getpid()
        self._start_time = _start_time(self._pid)
        self._path = folder / f"{self._pid}.json"

    @property
    def is_ours(self) -> bool:
        """Whether this is still the process that made the ledger."""
        return os.getpid() == self._pid

    def write(self, devices: Sequence[DeviceUse]) -> None:
        """Replace the figures at once, so that no reader sees half a file."""
        if not self.is_ours:
            return
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        entry = Entry(self._pid, self._start_time, tuple(devices))
        descriptor, name = tempfile.mkstemp(dir=self.folder, prefix=".", suffix=".tmp")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(asdict(entry), file)
        Path(name).replace(self._path)

    def remove(self) -> None:
        """Take the file away, as the driver does when a process ends."""
        if self.is_ours:
            self._path.unlink(missing_ok=True)

    def others(self) -> list[Entry]:
        """Read the other processes' figures."""
        return [entry for entry in read_ledgers(self.folder) if entry.pid != self._pid]


def read_ledgers(folder: Path) -> list[Entry]:
    """Read the figures of all living processes and delete those of the dead.

    Files that cannot be read as a ledger are passed over: another version may have written them.
    """
    entries = []
    for path in sorted(folder.glob("*.json")):
        entry = _read(path)
        if entry is None:
            continue
        if _is_alive(entry):
            entries.append(entry)
        else:
            with contextlib.suppress(OSError):
                path.unlink()
    return entries


def _read(path: Path) -> Entry | None:
    try:
        with path.open(encoding="utf-8") as file:
            data = json.loads(file.read(MAX_FILE_BYTES))
        start = data["start_time"]
        entry = Entry(
            int(data["pid"]),
            None if start is None else float(start),
            tuple(_device(item) for item in data["devices"]),
        )
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    return entry if path.stem == str(entry.pid) else None


def _device(item: Any) -> DeviceUse:
    return DeviceUse(
        index=int(item["index"]),
        uuid=str(item["uuid"])[:MAX_TEXT],
        name=str(item["name"])[:MAX_TEXT],
        total_bytes=max(0, int(item["total_bytes"])),
        used_bytes=max(0, int(item["used_bytes"])),
    )


def _is_alive(entry: Entry) -> bool:
    if not Path("/proc/self/stat").exists():
        import psutil

        return psutil.pid_exists(entry.pid) and _start_time(entry.pid) == entry.start_time
    now = _start_time(entry.pid)
    return now is not None and now == entry.start_time


def _start_time(pid: int) -> float | None:
    """Return when a process began, in an unspecified unit; ``None`` if it is gone or a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return _start_time_elsewhere(pid)
    state, *fields = stat.rpartition(")")[2].split()
    return None if state in "ZX" else float(fields[18])


def _start_time_elsewhere(pid: int) -> float | None:
    if Path("/proc/self/stat").exists():
        return None
    try:
        import psutil

        return float(psutil.Process(pid).create_time())
    except (ImportError, psutil.Error):
        return None
