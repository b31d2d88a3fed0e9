"""The memory limit that a container or a service manager put on this process."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True)
class Limit:
    """A limit and how much of it is used, page cache that can be dropped at once left out."""

    total_bytes: int
    used_bytes: int


@dataclass(frozen=True)
class _Version:
    """Where one version of control groups keeps its figures."""

    mount: str
    controller: str
    limit: str
    used: str
    cache: str


_V2 = _Version("sys/fs/cgroup", "", "memory.max", "memory.current", "inactive_file")
_V1 = _Version(
    "sys/fs/cgroup/memory",
    "memory",
    "memory.limit_in_bytes",
    "memory.usage_in_bytes",
    "total_inactive_file",
)


def read_limit(root: Path) -> Limit | None:
    """Return the tightest limit above this process, ``None`` if only the machine itself limits it.

    ``root`` stands for ``/``. Version 2 comes first: a hybrid system keeps an unused version 1
    mounted beside it.
    """
    machine_bytes = psutil.virtual_memory().total
    for version in (_V2, _V1):
        limits = [limit for folder in _folders(root, version) if (limit := _read(folder, version))]
        if limits:
            tightest = min(limits, key=lambda limit: limit.total_bytes)
            # "No limit" is the word max in version 2, and a number beyond any machine in version 1.
            return tightest if tightest.total_bytes < machine_bytes else None
    return None


def _folders(root: Path, version: _Version) -> Iterator[Path]:
    """Yield the process's own group and those above it, up to the mount.

    In a container the path names groups outside of what is mounted: then the mount itself is the
    container's.
    """
    mount = root / version.mount
    own = mount
    with suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if version.controller in controllers.split(","):
                own = mount / path.strip("/")
    yield from (folder for folder in (own, *own.parents) if folder.is_relative_to(mount))


def _read(folder: Path, version: _Version) -> Limit | None:
    try:
        total = (folder / version.limit).read_text().strip()
        used = int((folder / version.used).read_text())
        stat = dict(
            line.split(" ", 1) for line in (folder / "memory.stat").read_text().splitlines()
        )
        if total == "max":
            return None
        return Limit(int(total), max(0, used - int(stat.get(version.cache, 0))))
    except (OSError, ValueError):
        return None
