"""What the server tells of cells, and figures on request, with a real kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jupyterlab_gpumem.server.cells import cell_view
from jupyterlab_gpumem.server.kernels.cell_log import KEPT, CellLog
from tests.agent.cuda_stand_in import STAND_IN
from tests.kernels import check_contract

from .live import PREFIX, LiveServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jupyterlab_gpumem.wire import AgentCell, KernelDevice, Push


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("cells")) as live:
        yield live


@pytest.fixture(scope="module")
def kernel_id(server: LiveServer) -> str:
    kernel = server.start_kernel()
    server.attached(kernel)
    return kernel


def call(server: LiveServer, method: str, kernel_id: str, what: str, definition: str) -> Any:
    answer = server.call(method, f"{PREFIX}/kernels/{kernel_id}/{what}")
    assert answer.status == 200, answer
    check_contract(answer.body, definition)
    return answer.body


@pytest.mark.timeout(120)
def test_a_cell_that_runs_out_of_memory_is_in_the_snapshot_and_in_the_list(
    server: LiveServer, kernel_id: str
) -> None:
    with server.client(kernel_id) as user:
        user.run(STAND_IN)
        user.run("raise RuntimeError('CUDA out of memory. Tried to allocate 2 GiB')")
    last = server.until(lambda: (c := server.kernel(kernel_id)["last_cell"]) and c["error"] and c)
    assert (last["error"], last["out_of_memory"]) == ("RuntimeError", True)
    assert [each["key"] for each in last["devices"]] == ["kernel:abcd-0"]
    entry = server.kernel(kernel_id)
    assert (entry["allocator_backend"], entry["expandable_segments"]) == ("native", False)
    check_contract(server.snapshot(), "Snapshot")
    listed = call(server, "GET", kernel_id, "cells", "Cells")["cells"]
    assert listed[-1] == last
    assert listed[-2]["error"] is None


@pytest.mark.timeout(120)
def test_a_refresh_brings_what_changed_between_cells_and_never_waits_for_one(
    server: LiveServer, kernel_id: str
) -> None:
    def allocated() -> Any:
        return [device["allocated_bytes"] for device in server.kernel(kernel_id)["devices"]]

    with server.client(kernel_id) as user:
        user.run(STAND_IN)
        server.until(lambda: allocated() == [1000])
        user.value("stats.update({'allocated_bytes.all.current': 7000})")
        assert allocated() == [1000]
        assert call(server, "POST", kernel_id, "refresh", "Refreshed")["fresh"] is True
        assert allocated() == [7000]
        user.start("import time; time.sleep(300)")
        server.until(lambda: server.kernel(kernel_id)["execution_state"] == "busy")
        assert call(server, "POST", kernel_id, "refresh", "Refreshed")["fresh"] is False
        assert server.call("POST", f"api/kernels/{kernel_id}/interrupt").status == 204


def test_a_refresh_of_a_kernel_that_is_not_there_is_refused(server: LiveServer) -> None:
    for method, what in (("POST", "refresh"), ("GET", "cells")):
        answer = server.call(method, f"{PREFIX}/kernels/0000/{what}")
        assert (answer.status, answer.body["reason"]) == (404, "unknown_kernel")


def push(number: int, *cells: int) -> Push:
    told: list[Any] = [{"cell": cell} for cell in cells]
    value: Any = {"cell": number, "cells": told}
    result: Push = value
    return result


def test_the_log_keeps_the_last_cells_in_order_however_they_come() -> None:
    log = CellLog()
    assert (log.last, log.all()) == (None, [])
    log.add(push(3, 3))
    log.add(push(4, 1, 2, 3))
    assert [cell["cell"] for cell in log.all()] == [1, 2, 3]
    for number in range(4, 4 + KEPT):
        log.add(push(number, number))
    assert len(log.all()) == KEPT
    last = log.last
    assert last is not None
    assert last["cell"] == 3 + KEPT


def test_the_log_begins_anew_with_an_agent_that_does() -> None:
    log = CellLog()
    log.add(push(9, 8, 9))
    log.add(push(1, 1))
    assert [cell["cell"] for cell in log.all()] == [1]


@pytest.mark.parametrize(
    ("uuid", "keys", "expected"),
    [
        ("aaaa", ["nvml:bbbb", "nvml:aaaa"], "nvml:aaaa"),
        ("aaaa", ["nvml:bbbb", "nvml:mig-aaaa"], "nvml:mig-aaaa"),
        (None, ["nvml:bbbb"], "nvml:bbbb"),
        (None, ["nvml:bbbb", "nvml:aaaa"], "kernel:cuda-0"),
        ("cccc", [], "kernel:cccc"),
    ],
)
def test_the_devices_of_a_cell_are_those_of_its_kernel(
    uuid: str | None, keys: list[str], expected: str
) -> None:
    sizes = ("allocated_before", "allocated_after", "peak_allocated", "seen_allocated")
    figures = {f"{name}_bytes": 1 for name in (*sizes, "reserved_before", "reserved_after")}
    names = ("cell", "cell_id", "execution_count", "began_ms", "duration_ms", "error")
    told: Any = {**dict.fromkeys(names), "out_of_memory": False}
    told["devices"] = [{"index": 0, "uuid": uuid, **figures}]
    cell: AgentCell = told
    known: Any = [{"key": key, "reserved_bytes": 1} for key in keys]
    shares: list[KernelDevice] = known
    assert cell_view(cell, shares)["devices"] == [{"key": expected, **figures}]
