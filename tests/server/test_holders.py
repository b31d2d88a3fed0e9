"""Who holds memory, by REST alone, in a real kernel of a real server. CPU tensors stand in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.kernels import check_contract

from .live import PREFIX, LiveServer

if TYPE_CHECKING:
    from collections.abc import Iterator

MIB = 2**20
CELLS = ("import torch\nx, y = torch.ones(3, 2**18), torch.ones(2, 2**18)", "torch.ones(1, 2**18)")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("holders")) as live:
        yield live


@pytest.fixture(scope="module")
def kernel_id(server: LiveServer) -> str:
    kernel = server.start_kernel()
    server.attached(kernel)
    return kernel


@pytest.fixture(autouse=True)
def _three_tensors(server: LiveServer, kernel_id: str) -> None:
    # Each test adds an output.
    server.free(kernel_id, level="reset")
    with server.client(kernel_id) as user:
        for cell in CELLS:
            assert user.run(cell)["status"] == "ok"


def holders(server: LiveServer, kernel_id: str, query: str = "") -> Any:
    answer = server.call("GET", f"{PREFIX}/kernels/{kernel_id}/holders{query}")
    assert answer.status == 200, answer
    check_contract(answer.body, "Holders")
    return answer.body


def free(server: LiveServer, kernel_id: str, **body: Any) -> Any:
    answer = server.free(kernel_id, **body)
    assert answer.status == 200, answer
    check_contract(answer.body, "FreeReport")
    return answer.body


@pytest.mark.timeout(120)
def test_holders_come_largest_first_and_page_by_page(server: LiveServer, kernel_id: str) -> None:
    found = holders(server, kernel_id)
    assert [h["path"] for h in found["holders"]][:2] == ["x", "y"]
    assert found["visible_bytes"] == 6 * MIB
    assert found["holders_count"] == found["tensors_count"] == 3
    second = holders(server, kernel_id, "?limit=1&offset=1")
    assert second["holders"] == found["holders"][1:2]
    assert second["tensors"] == found["tensors"][1:2]
    assert second["holders_count"] == 3


@pytest.mark.timeout(120)
def test_a_dry_run_tells_what_would_go_and_changes_nothing(
    server: LiveServer, kernel_id: str
) -> None:
    preview = free(server, kernel_id, level="objects", keep=["variable:x"], dry_run=True)
    assert preview["dry_run"] is True
    assert preview["freed_host_bytes"] == 3 * MIB
    assert holders(server, kernel_id)["visible_bytes"] == 6 * MIB


@pytest.mark.timeout(120)
def test_what_is_kept_stays_and_is_reported_and_the_rest_goes(
    server: LiveServer, kernel_id: str
) -> None:
    report = free(server, kernel_id, level="objects", keep=["variable:x"])
    assert report["freed_host_bytes"] == 3 * MIB
    assert (report["dropped"][0]["path"], report["dropped"][0]["bytes"]) == ("y", 2 * MIB)
    assert report["still_held"] == [{"root": "variable", "path": "x", "bytes": 3 * MIB}]
    with server.client(kernel_id) as user:
        assert user.run("x.sum(), torch.ones(1)")["status"] == "ok"
        assert user.run("y")["ename"] == "NameError"


@pytest.mark.timeout(120)
def test_single_holders_are_dropped_by_their_id(server: LiveServer, kernel_id: str) -> None:
    output = next(h for h in holders(server, kernel_id)["holders"] if h["root"] == "output")
    report = free(server, kernel_id, level="objects", ids=["variable:y", output["id"]])
    assert report["freed_host_bytes"] == 3 * MIB
    assert [h["path"] for h in holders(server, kernel_id)["holders"]] == ["x"]


@pytest.mark.timeout(120)
def test_a_kernel_at_work_is_not_asked(server: LiveServer, kernel_id: str) -> None:
    with server.client(kernel_id) as user:
        user.run("import time")
        user.start("time.sleep(300)")
        server.until(lambda: server.kernel(kernel_id)["execution_state"] == "busy")
        answer = server.call("GET", f"{PREFIX}/kernels/{kernel_id}/holders")
        assert (answer.status, answer.body["reason"]) == (409, "busy")
        server.free(kernel_id, level="cache", when_busy="interrupt")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("?limit=0", "limit"),
        ("?limit=x", "limit"),
        ("?offset=-1", "offset"),
        ("?timeout_ms=9999999", "timeout_ms"),
    ],
)
def test_a_bad_query_is_refused_with_the_field(
    server: LiveServer, kernel_id: str, query: str, field: str
) -> None:
    answer = server.call("GET", f"{PREFIX}/kernels/{kernel_id}/holders{query}")
    assert (answer.status, answer.body["reason"], answer.body["field"]) == (
        *(400, "bad_request"),
        field,
    )


def test_an_unknown_kernel_is_not_found(server: LiveServer) -> None:
    answer = server.call("GET", f"{PREFIX}/kernels/0000/holders")
    assert (answer.status, answer.body["reason"]) == (404, "unknown_kernel")
