"""The memory of the machine, or of the container if it has a limit of its own, as a device."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from .cgroup import read_limit
from .provider import DeviceInfo, DeviceSample, ProcessEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KEY = "host:memory"


class HostProvider:
    """Read main memory, and how much of it the watched processes and their children hold.

    Where Linux tells, a page that several processes share counts for each by its part, so that a
    kernel and the workers forked from it add up to what they hold together. Else it is the resident
    size, with shared pages in each of them.
    """

    name = "host"

    def __init__(self, *, root: Path = Path("/")) -> None:
        self._root = root
        self._watched: frozenset[int] = frozenset()
        self._listed: list[int] = []
        self._measured: dict[int, tuple[int, int]] = {}

    def watch(self, pids: Iterable[int]) -> None:
        """Replace the processes to list; may be called from any thread."""
        self._watched = frozenset(pids)

    def open(self) -> None:
        """Nothing to get ready."""

    def close(self) -> None:
        """Nothing to let go of."""

    def devices(self) -> Sequence[DeviceInfo]:
        """Return the one device; its name says whose memory the figures are."""
        limited = read_limit(self._root) is not None
        name = "Container memory" if limited else "Machine memory"
        return [DeviceInfo(KEY, "host", name)]

    def sample(self, device: DeviceInfo) -> DeviceSample:
        """Read total and used, reclaimable page cache counting as free."""
        machine = psutil.virtual_memory()
        total, free = machine.total, machine.available
        if limit := read_limit(self._root):
            total = limit.total_bytes
            free = max(0, total - limit.used_bytes)
        return DeviceSample(total_bytes=total, used_bytes=total - free, free_bytes=free)

    def processes(self, device: DeviceInfo) -> Sequence[ProcessEntry]:
        """List the watched processes and everything they have started, each with its own number."""
        pids = _families(self._watched) if self._watched else []
        if pids != self._listed:
            # Who shares a page changes with each process that comes or goes.
            self._listed, self._measured = pids, {}
        entries: list[ProcessEntry] = []
        for pid in pids:
            try:
                entries.append(ProcessEntry(pid, self._size(pid), "host"))
            except psutil.AccessDenied:
                entries.append(ProcessEntry(pid, None, "host"))
            except psutil.NoSuchProcess:
                continue
        return entries

    def _size(self, pid: int) -> int:
        """Return the proportional size, or the resident one where the system tells no other.

        Looked up only when the resident size has changed: it takes 15 ms for 1 GiB, as the kernel
        visits every page.
        """
        resident = psutil.Process(pid).memory_info().rss
        before, size = self._measured.get(pid, (None, 0))
        if before != resident:
            size = self._proportional(pid) or resident
            self._measured[pid] = (resident, size)
        return size

    def _proportional(self, pid: int) -> int | None:
        try:
            rollup = (self._root / f"proc/{pid}/smaps_rollup").read_text()
        except OSError:
            return None
        found = re.search(r"^Pss:\s+(\d+) kB$", rollup, re.MULTILINE)
        return int(found[1]) * 1024 if found else None


def _families(roots: frozenset[int]) -> list[int]:
    """Return the living among ``roots`` with all their descendants, sorted."""
    children: dict[int, list[int]] = defaultdict(list)
    alive = set()
    for process in psutil.process_iter(["ppid"]):
        alive.add(process.pid)
        children[process.info["ppid"]].append(process.pid)
    found: set[int] = set()
    waiting = [pid for pid in roots if pid in alive]
    while waiting:
        pid = waiting.pop()
        if pid not in found:
            found.add(pid)
            waiting += children[pid]
    return sorted(found)
