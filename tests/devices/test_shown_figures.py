"""F18, F20, F28, F30, F43: figures that do not add up, as the server shows them."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.nvml_standin import GIB, Gpu, Process, Scenario, Standin
from tests.server.live import LiveServer

from .reading import KEY_A, A

if TYPE_CHECKING:
    from collections.abc import Iterator

STRANGER = 1
"""A process that lives, and that no kernel has started."""


@pytest.fixture(scope="module")
def standin(tmp_path_factory: pytest.TempPathFactory) -> Standin:
    return Standin(tmp_path_factory.mktemp("driver"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, standin: Standin) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("server")
    options = ("--GpuMem.interval_s=0.5",)
    with LiveServer(folder, env=standin.env(), options=options) as live:
        yield live


def shown(server: LiveServer, standin: Standin, gpu: Gpu) -> Any:
    """Let the driver say this, and return the device when the server shows it with its list."""
    standin.play(Scenario(gpus=[gpu]))
    pids = sorted(process.pid for process in gpu.processes)

    def device() -> Any:
        for found in server.snapshot()["devices"]:
            listed = [process["pid"] for process in found["processes"] or ()]
            if (found["key"], found["memory"]["used_bytes"], sorted(listed)) == (
                KEY_A,
                gpu.used_bytes,
                pids,
            ):
                return found
        return None

    return server.until(device, limit_s=30.0)


def test_memory_that_no_process_accounts_for_is_shown_apart(
    server: LiveServer, standin: Standin
) -> None:
    """F18: the page cache that a Grace system keeps in the GPU's memory is no kernel's."""
    gpu = Gpu(A, total_bytes=96 * GIB, used_bytes=50 * GIB, processes=[Process(STRANGER, GIB)])
    device = shown(server, standin, gpu)
    assert device["unattributed_bytes"] == 49 * GIB
    assert device["other_bytes"] == GIB
    assert device["state"] == "ok"


def test_memory_of_processes_that_are_not_listed_at_all_is_shown_apart(
    server: LiveServer, standin: Standin
) -> None:
    """F43: other containers on the same GPU."""
    device = shown(server, standin, Gpu(A, used_bytes=30 * GIB))
    assert device["unattributed_bytes"] == 30 * GIB
    assert device["other_bytes"] == 0


def test_processes_that_add_up_to_more_than_is_used_leave_nothing_and_not_less(
    server: LiveServer, standin: Standin
) -> None:
    """F30: shared memory counts in each of those who share it."""
    both = [Process(STRANGER, 6 * GIB), Process(2**22 - 1, 6 * GIB)]
    device = shown(server, standin, Gpu(A, used_bytes=10 * GIB, processes=both))
    assert device["unattributed_bytes"] == 0
    assert device["memory"]["used_bytes"] == 10 * GIB


def test_a_layer_that_limits_a_gpu_is_believed_where_it_speaks(
    server: LiveServer, standin: Standin
) -> None:
    """F20: the total is NVML's, whatever CUDA tells a kernel; that kernel's limit is its own."""
    limited = Gpu(A, total_bytes=8 * GIB, reserved_bytes=0, used_bytes=3 * GIB)
    assert shown(server, standin, limited)["memory"]["total_bytes"] == 8 * GIB
    whole = Gpu(A, total_bytes=80 * GIB, reserved_bytes=0, used_bytes=4 * GIB)
    assert shown(server, standin, whole)["memory"]["total_bytes"] == 80 * GIB


def test_a_process_that_has_ended_is_nobodys_and_costs_no_line_in_the_log(
    server: LiveServer, standin: Standin
) -> None:
    """F28."""
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    before = server.log_text()
    gpu = Gpu(A, used_bytes=5 * GIB, processes=[Process(gone.pid, GIB)])
    [process] = shown(server, standin, gpu)["processes"]
    assert (process["kernel_id"], process["name"]) == (None, None)
    assert process["used_bytes"] == GIB
    new = server.log_text().removeprefix(before)
    assert str(gone.pid) not in new
    assert "Traceback" not in new
