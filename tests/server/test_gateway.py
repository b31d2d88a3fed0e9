"""Kernels of another machine, which a server reaches through a gateway: told of in words."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.kernels import check_contract

from .live import PREFIX, LiveServer

if TYPE_CHECKING:
    from pathlib import Path

PROMPT_S = 5.0


@pytest.mark.timeout(120)
def test_a_kernel_behind_a_gateway_is_listed_and_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").mkdir()
    with LiveServer(tmp_path / "far") as far:
        options = (f"--gateway-url={far.url}", f"--GatewayClient.auth_token={far.token}")
        with LiveServer(tmp_path / "near", options=options) as near:
            kernel_id = near.start_kernel(path="remote.ipynb")
            # It runs there, with an agent that the server there has sent.
            far.attached(kernel_id)
            entry = near.kernel(kernel_id)
            check_contract(near.snapshot(), "Snapshot")
            assert (entry["document_name"], entry["pid"]) == ("remote.ipynb", None)
            assert entry["agent"]["state"] == "unsupported"
            assert "gateway" in entry["agent"]["reason"]
            began = time.monotonic()
            for when_busy in ("fail", "interrupt", "wait"):
                refused = near.free(kernel_id, level="reset", when_busy=when_busy)
                assert (refused.status, refused.body["reason"]) == (409, "no_agent")
                assert "gateway" in refused.body["message"]
            refreshed = near.call("POST", f"{PREFIX}/kernels/{kernel_id}/refresh")
            assert (refreshed.status, refreshed.body["fresh"]) == (200, False)
            assert near.call("GET", f"{PREFIX}/kernels/{kernel_id}/cells").body["cells"] == []
            assert time.monotonic() - began < PROMPT_S
            assert near.call("DELETE", f"api/kernels/{kernel_id}").status == 204
            near.until(lambda: kernel_id not in [k["id"] for k in near.snapshot()["kernels"]])
