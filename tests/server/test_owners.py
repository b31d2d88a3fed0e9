"""Processes find the kernel they belong to; real processes, no fakes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psutil
import pytest

from jupyterlab_gpumem.server.kernels.owners import Owner, Owners

if TYPE_CHECKING:
    from collections.abc import Iterator

FAMILY = (
    "import subprocess, sys;"
    "child = subprocess.Popen([sys.executable, '-c', 'import sys; sys.stdin.read()'],"
    " stdin=sys.stdin);"
    "print(child.pid, flush=True); child.wait()"
)


@pytest.fixture
def family() -> Iterator[tuple[int, int]]:
    """Return the process ids of a parent and its child."""
    command = [sys.executable, "-c", FAMILY]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        yield parent.pid, int(parent.stdout.readline())
        parent.communicate()


def test_a_kernel_and_its_children_belong_to_it(family: tuple[int, int]) -> None:
    parent, child = family
    owners = Owners().resolve([parent, child], {parent: "k1"})
    assert owners[parent].kernel_id == "k1"
    assert owners[child].kernel_id == "k1"
    assert (owners[parent].relation, owners[child].relation) == ("kernel", "child")
    assert owners[child].name == psutil.Process(child).name()


def test_the_kernel_behind_a_wrapper_is_the_kernel_and_no_child(family: tuple[int, int]) -> None:
    wrapper, kernel = family
    owners = Owners().resolve([kernel], {wrapper: "k1"}, interpreters={"k1": kernel})
    assert (owners[kernel].kernel_id, owners[kernel].relation) == ("k1", "kernel")


def test_a_kernel_cannot_claim_a_process_that_is_not_below_it(family: tuple[int, int]) -> None:
    parent, child = family
    owners = Owners().resolve([parent], {child: "k1"}, interpreters={"k1": parent})
    assert (owners[parent].kernel_id, owners[parent].relation) == (None, "other")


def test_the_nearest_kernel_owns_a_process(family: tuple[int, int]) -> None:
    parent, child = family
    owners = Owners().resolve([child], {parent: "outer", child: "inner"})
    assert owners[child].kernel_id == "inner"


def test_a_kernels_parent_is_not_the_kernels(family: tuple[int, int]) -> None:
    parent, child = family
    assert Owners().resolve([parent], {child: "k1"})[parent].kernel_id is None


def test_a_process_that_has_ended_has_no_owner(family: tuple[int, int]) -> None:
    parent, child = family
    owners = Owners()
    assert owners.resolve([child], {parent: "k1"})[child].kernel_id == "k1"
    process = psutil.Process(child)
    process.kill()
    psutil.wait_procs([process], timeout=10)
    psutil.Process(parent).wait(10)
    assert owners.resolve([child], {parent: "k1"}) == {child: Owner()}


def test_a_kernel_started_later_owns_a_process_known_before(family: tuple[int, int]) -> None:
    parent, child = family
    owners = Owners()
    assert owners.resolve([child], {})[child].kernel_id is None
    assert owners.resolve([child], {parent: "k1"})[child].kernel_id == "k1"


def test_what_a_kernel_leaves_behind_is_an_orphan_and_stays_alive(family: tuple[int, int]) -> None:
    parent, child = family
    owners = Owners()
    assert owners.resolve([child], {parent: "k1"})[child].relation == "child"
    os.kill(parent, signal.SIGKILL)
    # The kernel was restarted: the same id, another process.
    after = owners.resolve([child], {os.getpid() + 1: "k1"})[child]
    assert (after.kernel_id, after.relation) == (None, "orphan")
    assert after.name is not None
    process = psutil.Process(child)
    assert process.is_running()
    process.kill()
    psutil.wait_procs([process], timeout=10)


@contextmanager
def started_by(server_pid: int) -> Iterator[int]:
    """Start a process that looks as if a kernel of a server had started it."""
    command = [sys.executable, "-c", "print(1, flush=True); input()"]
    env = {**os.environ, "JPY_PARENT_PID": str(server_pid)}
    with subprocess.Popen(
        command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.pid
        process.communicate(b"\n")


def test_what_a_kernel_left_behind_before_anybody_looked_is_an_orphan_too() -> None:
    with started_by(2**22 + 1) as pid:  # beyond any process id
        assert Owners().resolve([pid], {})[pid].relation == "orphan"


def test_what_a_server_inherits_as_the_first_process_of_a_container_is_an_orphan() -> None:
    with started_by(os.getpid()) as pid:
        assert Owners().resolve([pid], {})[pid].relation == "orphan"
        assert Owners().resolve([pid], {pid: "k1"})[pid].relation == "kernel"


def test_the_kernel_of_another_server_that_still_runs_is_no_orphan() -> None:
    with started_by(os.getppid()) as pid:
        assert Owners().resolve([pid], {})[pid].relation == "other"


def test_a_process_that_has_ended_and_is_not_yet_collected_is_told_by_what_is_left() -> None:
    with subprocess.Popen(["true"]) as zombie:
        os.waitid(os.P_PID, zombie.pid, os.WEXITED | os.WNOWAIT)
        assert Owners().resolve([zombie.pid], {zombie.pid: "k1"})[zombie.pid].kernel_id == "k1"


@contextmanager
def of_another_user() -> Iterator[int]:
    """Yield a process of another user: root's first, or as root one of nobody's."""
    if os.getuid() != 0:
        yield 1
        return
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, user=65534) as process:
        yield process.pid


def test_the_name_of_another_users_process_is_not_told() -> None:
    with of_another_user() as pid:
        assert psutil.Process(pid).name()  # though the system would tell
        assert Owners().resolve([pid], {})[pid] == Owner(None, None, "other")
