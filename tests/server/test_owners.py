"""Processes find the kernel they belong to; real processes, no fakes."""

from __future__ import annotations

import subprocess
import sys
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
    assert owners[child].name == psutil.Process(child).name()


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
