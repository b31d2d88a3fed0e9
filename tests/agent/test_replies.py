"""What a kernel says is believed only after it was checked."""

from __future__ import annotations

from typing import Any

import pytest

from jupyterlab_gpumem.server.kernels.bootstrap import (
    Aborted,
    NoAnswer,
    ReplyError,
    read_push,
    read_reply,
)
from tests.kernels import check_contract

DEVICE: dict[str, Any] = {
    "index": 0,
    "uuid": None,
    "pci": None,
    "name": "Test GPU",
    "total_bytes": None,
    "allocated_bytes": 1,
    "reserved_bytes": 2,
    "active_bytes": 1,
    "peak_allocated_bytes": None,
    "cell_peak_allocated_bytes": None,
    "inactive_split_bytes": 0,
    "num_ooms": 0,
    "num_alloc_retries": None,
}
PUSH: dict[str, Any] = {
    "wire_version": 1,
    "kind": "figures",
    "pid": 7,
    "cell": 0,
    "running": False,
    "allocators": [DEVICE],
    "backend": "native",
    "expandable_segments": None,
    "libraries": [],
    "cells": [],
}
REPORT: dict[str, Any] = {
    "before": None,
    "after": [DEVICE],
    "freed_bytes": 1,
    "freed_host_bytes": None,
    "still_held_bytes": 0,
    "still_held": [{"root": "module", "path": "module m.x[1]", "bytes": 3}],
    "invisible_bytes": None,
    "dropped": [{"root": "variable", "path": "x", "bytes": 1}],
    "dropped_count": 1,
    "explanations": [{"code": "exception", "path": "p", "other": None, "bytes": 1, "count": None}],
    "steps": [{"name": "flush", "ms": 1, "error": None}],
    "duration_ms": 5,
}
HOLDER: dict[str, Any] = {
    "id": "variable:x",
    "root": "variable",
    "path": "x",
    "detail": "x[0]",
    "category": "tensor",
    "categories": [{"category": "tensor", "bytes": 4}],
    "devices": [{"device": "cuda:0", "bytes": 4}],
    "reaches_bytes": 4,
    "only_bytes": 0,
    "tensors": 1,
    "shared_with": ["y"],
    "deletable": True,
}
TENSOR: dict[str, Any] = {
    "path": "x[0]",
    "root": "variable",
    "holder": None,
    "shape": [1],
    "dtype": "float32",
    "device": "cuda:0",
    "bytes": 4,
    "category": "tensor",
    "requires_grad": False,
}
HOLDERS: dict[str, Any] = {
    "wire_version": 1,
    "scan_ms": 1,
    "partial": False,
    "memory": "gpu",
    "visible_bytes": 4,
    "allocated_bytes": 512,
    "invisible_bytes": 0,
    "holders": [HOLDER],
    "holders_count": 1,
    "tensors": [TENSOR],
    "tensors_count": 1,
    "explanations": [],
}
REPLIES: list[dict[str, Any]] = [
    {"kind": "hello", "version": "1", "figures": PUSH},
    {"kind": "freed", "report": REPORT, "figures": {**PUSH, "allocators": None}},
    {"kind": "holders", "holders": HOLDERS, "figures": PUSH},
    {"kind": "refused", "reason": "capture", "message": "no"},
]


def content_of(reply: Any) -> dict[str, Any]:
    value = {"status": "ok", "data": {"application/json": reply, "text/plain": "x"}}
    return {"status": "ok", "user_expressions": {"gpumem": value}}


@pytest.mark.parametrize("reply", REPLIES, ids=lambda r: r["kind"])
def test_a_reply_of_the_contract_is_read(reply: dict[str, Any]) -> None:
    check_contract(reply, "AgentReply")
    assert read_reply(content_of(reply)) == reply


def test_an_aborted_request_can_be_told_from_a_failed_one() -> None:
    with pytest.raises(Aborted):
        read_reply({"status": "aborted"})
    with pytest.raises(ReplyError, match="NameError") as failed:
        read_reply({"status": "error", "ename": "NameError"})
    assert not isinstance(failed.value, Aborted)


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"status": "ok"},
        {"status": "ok", "user_expressions": []},
        {"status": "ok", "user_expressions": {}},
        {"status": "ok", "user_expressions": {"gpumem": "text"}},
        content_of(None),
        content_of([]),
        content_of({"kind": ["hello"]}),
        content_of({"kind": "figures"}),
    ],
)
def test_an_answer_of_another_shape_is_an_error(content: dict[str, Any]) -> None:
    with pytest.raises(ReplyError):
        read_reply(content)


def test_a_kernel_without_the_agent_gives_no_answer() -> None:
    nothing = {"status": "ok", "data": {"text/plain": "None"}}
    with pytest.raises(NoAnswer, match="not in the kernel"):
        read_reply({"status": "ok", "user_expressions": {"gpumem": nothing}})
    failed = {"status": "error", "ename": "TypeError", "evalue": "x" * 10_000}
    with pytest.raises(NoAnswer, match="TypeError") as error:
        read_reply({"status": "ok", "user_expressions": {"gpumem": failed}})
    assert len(str(error.value)) < 1_000


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"wire_version": 2}, "push.wire_version"),
        ({"wire_version": True}, "push.wire_version"),
        ({"cell": -1}, "push.cell"),
        ({"cell": "1"}, "push.cell"),
        ({"cell": True}, "push.cell"),
        ({"running": 0}, "push.running"),
        ({"allocators": {}}, "push.allocators"),
        ({"allocators": [DEVICE] * 1000}, "push.allocators"),
        ({"allocators": [None]}, r"push.allocators\[0\]"),
        ({"allocators": [{**DEVICE, "name": "n" * 121}]}, r"push.allocators\[0\].name"),
        ({"allocators": [{**DEVICE, "allocated_bytes": 2**53}]}, "allocated_bytes"),
        ({"allocators": [{**DEVICE, "allocated_bytes": 1.5}]}, "allocated_bytes"),
        ({"cells": None}, "push.cells"),
        ({"backend": "b" * 41}, "push.backend"),
        ({"libraries": [{"library": "jax"}]}, r"push.libraries\[0\]: expected the fields"),
        ({"state": {}}, "push: expected the fields"),
    ],
)
def test_a_hostile_push_is_an_error_that_names_the_field(change: dict[str, Any], path: str) -> None:
    with pytest.raises(ReplyError, match=path):
        read_push({**PUSH, **change})


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"dropped": [{"root": "variable", "path": "x", "bytes": None}] * 201}, "dropped"),
        ({"dropped": [{"root": "variable", "path": "x" * 201, "bytes": None}]}, "path"),
        ({"dropped": [{"root": "modules", "path": "x", "bytes": None}]}, "root"),
        ({"steps": [{"name": "n" * 81, "ms": 0, "error": None}]}, "name"),
        ({"steps": [{"name": "n", "ms": 0, "error": "e" * 501}]}, "error"),
        ({"duration_ms": None}, "duration_ms"),
    ],
)
def test_a_hostile_report_is_an_error_that_names_the_field(
    change: dict[str, Any], path: str
) -> None:
    reply = {"kind": "freed", "report": {**REPORT, **change}, "figures": PUSH}
    with pytest.raises(ReplyError, match=path):
        read_reply(content_of(reply))
