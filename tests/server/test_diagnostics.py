"""What a server says works and does not, and what of it concerns a kernel."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from jupyterlab_gpumem.server.diagnostics import kernel_checks
from tests.kernels import check_contract
from tests.nvml_standin import Fault, Gpu, Scenario, Standin

from .live import PREFIX, LiveServer

if TYPE_CHECKING:
    from jupyterlab_gpumem.wire import Kernel

EXAMPLE = Path(__file__).parents[2] / "contract" / "examples" / "snapshot-two-gpus.json"


def kernel(state: str = "attached", reason: str | None = None, *, key: str = "nvml:a") -> Kernel:
    value: Any = copy.deepcopy(json.loads(EXAMPLE.read_text())["value"]["kernels"][0])
    value["agent"].update(state=state, reason=reason)
    value["devices"] = [{**value["devices"][0], "key": key}]
    made: Kernel = value
    return made


@pytest.mark.parametrize(
    ("state", "level", "hint"),
    [
        ("attached", "ok", None),
        ("waiting", "info", None),
        ("unsupported", "info", None),
        ("off", "info", None),
        ("failed", "error", "agent_failed"),
    ],
)
def test_a_kernel_says_whether_the_agent_is_in_it(state: str, level: str, hint: str | None) -> None:
    [check] = kernel_checks(kernel(state, "of some reason"))
    check_contract(check, "Check")
    assert (check["state"], check["hint"]) == (level, hint)
    assert "train.ipynb" in check["detail"]
    assert "of some reason" in check["detail"]


def test_a_gpu_that_only_the_kernel_sees_is_worth_a_warning() -> None:
    _, check = kernel_checks(kernel(key="kernel:5f1a"))
    assert (check["state"], check["hint"]) == ("warning", "gpu_out_of_sight")
    assert "5f1a" in check["detail"]


def test_that_nobody_else_sees_the_gpu_of_a_mac_is_as_it_must_be() -> None:
    assert len(kernel_checks(kernel(key="kernel:mps"))) == 1


@pytest.mark.timeout(120)
def test_a_server_names_library_devices_and_kernels_and_what_is_wrong(tmp_path: Path) -> None:
    standin = Standin(tmp_path)
    lost = Gpu(uuid="GPU-bbbb", name="NVIDIA A100")
    standin.play(Scenario(gpus=[Gpu(), lost], faults=[Fault("*", 15, device=1)]))
    with LiveServer(tmp_path, env=standin.env()) as server:
        server.attached(server.start_kernel(path="train.ipynb"))
        answer = server.call("GET", f"{PREFIX}/diagnostics")
    assert answer.status == 200
    check_contract(answer.body, "Diagnostics")
    checks: dict[str, list[Any]] = {}
    for check in answer.body["checks"]:
        checks.setdefault(check["name"], []).append(check)
    assert [c["state"] for c in checks["server"]] == ["ok"]
    assert "libnvidia-ml.so.1" in checks["library"][0]["detail"]
    states = {c["detail"].partition(":")[0]: c["state"] for c in checks["provider"]}
    assert states["nvml"] == "ok"
    assert {(c["state"], c["hint"]) for c in checks["device"]} == {
        ("ok", None),
        ("error", "gpu_lost"),
    }
    assert ["train.ipynb" in c["detail"] for c in checks["kernel"]] == [True]
