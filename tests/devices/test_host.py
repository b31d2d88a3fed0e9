"""Main memory as a device: the machine's or the container's, and who of the kernels holds it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from jupyterlab_gpumem.devices.host import KEY, HostProvider

from .reading import NOWHERE, processes_of, read, sample_of

if TYPE_CHECKING:
    from pathlib import Path

GIB = 2**30
MOST = 2**62
"""More than any machine has."""


def write(folder: Path, **files: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(f"{content}\n")


def limit_v2(folder: Path, total: object, used: int, cache: int = 0) -> None:
    write(folder, memory__max=total, memory__current=used)
    write(folder, memory__stat=f"anon 1\ninactive_file {cache}")


def limit_v1(folder: Path, total: int, used: int, cache: int = 0) -> None:
    write(folder, memory__limit_in_bytes=total, memory__usage_in_bytes=used)
    write(folder, memory__stat=f"cache 1\ntotal_inactive_file {cache}")


def figures(root: Path) -> tuple[str, int | None, int | None]:
    readings = read(HostProvider(root=root))
    sample = sample_of(readings, KEY)
    return readings[KEY].info.name, sample.total_bytes, sample.used_bytes


def test_without_a_limit_the_machines_memory_is_shown() -> None:
    name, total, used = figures(NOWHERE)
    assert (name, total) == ("Machine memory", psutil.virtual_memory().total)
    assert used is not None
    assert 0 < used < psutil.virtual_memory().total


def test_a_containers_limit_is_shown_without_its_page_cache(tmp_path: Path) -> None:
    limit_v2(tmp_path / "sys/fs/cgroup", GIB, GIB // 2, GIB // 8)
    assert figures(tmp_path) == ("Container memory", GIB, GIB // 2 - GIB // 8)


def test_the_tightest_limit_above_the_process_counts(tmp_path: Path) -> None:
    mount = tmp_path / "sys/fs/cgroup"
    write(tmp_path / "proc/self", cgroup="0::/hub/user-a/app")
    limit_v2(mount / "hub/user-a/app", "max", 1)
    limit_v2(mount / "hub/user-a", GIB, 2)
    limit_v2(mount / "hub", 4 * GIB, 3)
    assert figures(tmp_path) == ("Container memory", GIB, 2)


def test_a_container_whose_groups_path_is_not_mounted_uses_what_is(tmp_path: Path) -> None:
    write(tmp_path / "proc/self", cgroup="0::/not/visible/here")
    limit_v2(tmp_path / "sys/fs/cgroup", GIB, 5)
    assert figures(tmp_path) == ("Container memory", GIB, 5)


def test_the_older_control_groups_are_read_where_the_newer_have_no_figures(tmp_path: Path) -> None:
    mount = tmp_path / "sys/fs/cgroup/memory"
    write(tmp_path / "proc/self", cgroup="4:cpuset:/\n3:memory:/job\n0::/")
    limit_v1(mount / "job", GIB, 100, 40)
    limit_v1(mount, MOST, 1000)
    assert figures(tmp_path) == ("Container memory", GIB, 60)


@pytest.mark.parametrize("total", [MOST, "max", "garbage"])
def test_a_limit_beyond_the_machine_is_none(tmp_path: Path, total: object) -> None:
    limit_v2(tmp_path / "sys/fs/cgroup", total, 5)
    assert figures(tmp_path)[0] == "Machine memory"


PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
print(child.pid, flush=True)
input()
child.communicate(b"\\n")
"""


def test_watched_processes_are_listed_with_their_children_each_by_its_own_size() -> None:
    provider = HostProvider(root=NOWHERE)
    assert processes_of(read(provider), KEY) == ()
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        provider.watch([parent.pid])
        found = {entry.pid: entry for entry in processes_of(read(provider), KEY) or ()}
        parent.communicate("\n")
    assert found.keys() == {parent.pid, child}
    assert {entry.kind for entry in found.values()} == {"host"}
    assert all(entry.used_bytes and entry.used_bytes > 2**20 for entry in found.values())


WORKERS = """
import os, sys
block = bytearray(96 * 2**20)
block[::4096] = b"x" * (len(block) // 4096)
workers = []
for _ in range(2):
    pid = os.fork()
    if not pid:
        sum(block[::4096])
        os.read(0, 1)
        os._exit(0)
    workers.append(pid)
print(*workers, flush=True)
os.read(0, 1)
"""


def test_what_forked_workers_share_with_their_kernel_counts_once() -> None:
    provider = HostProvider()
    with subprocess.Popen(
        [sys.executable, "-c", WORKERS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        provider.watch([parent.pid])
        entries = processes_of(read(provider), KEY) or ()
        resident = sum(psutil.Process(pid).memory_info().rss for pid in (parent.pid, *workers))
        parent.communicate("xxx")
    assert {entry.pid for entry in entries} == {parent.pid, *workers}
    together = sum(entry.used_bytes or 0 for entry in entries)
    assert 96 * 2**20 < together < 2 * 96 * 2**20
    assert resident > 3 * 96 * 2**20


class Counting(HostProvider):
    """Notes whose pages the system was asked to visit."""

    def __init__(self) -> None:
        super().__init__()
        self.visited: list[int] = []

    def _proportional(self, pid: int) -> int | None:
        self.visited.append(pid)
        return super()._proportional(pid)


def test_the_pages_of_a_process_that_does_not_grow_are_visited_once() -> None:
    provider = Counting()
    # They wait in an unbuffered read: after the first line nothing changes in them.
    waiting = [sys.executable, "-c", "import os; os.write(1, b'x'); os.read(0, 1)"]
    with (
        subprocess.Popen(waiting, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first,
        subprocess.Popen(waiting, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as second,
    ):
        for process in (first, second):
            assert process.stdout is not None
            process.stdout.read(1)
        provider.watch([first.pid])
        sizes = [processes_of(read(provider), KEY) for _ in range(3)]
        assert sizes[0] == sizes[1] == sizes[2] != ()
        assert provider.visited == [first.pid]
        # With another process the pages may be shared anew.
        provider.watch([first.pid, second.pid])
        read(provider)
        assert sorted(provider.visited[1:]) == sorted([first.pid, second.pid])
        for process in (first, second):
            process.communicate(b"x")


def test_a_watched_process_that_is_gone_is_left_out() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    provider = HostProvider(root=NOWHERE)
    provider.watch([gone.pid])
    assert processes_of(read(provider), KEY) == ()
