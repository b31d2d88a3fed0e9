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
        entries = []
        for pid in pids:
            try:
                held = self._proportional(pid) or psutil.Process(pid).memory_info().rss
            except psutil.AccessDenied:
                held = None
            except psutil.NoSuchProcess:
                continue
            entries.append(ProcessEntry(pid, held, "host"))
        return entries

    def _proportional(self, pid: int) -> int | None:
        """Return the proportional size, None where the system does not tell.

        1 ms for 100 MiB: the kernel visits every page. The sampler keeps lists to their share of
        the time.
        """
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
