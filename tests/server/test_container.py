"""A server in a pid namespace of its own, as in a container: whose memory is whose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.namespaces import run_in_namespace

if TYPE_CHECKING:
    from pathlib import Path

# One kernel that holds memory of a simulated allocator, on a GPU that the stand-in driver shows
# under the same UUID. The driver names it and process 1, which in the namespace is another.
SCRIPT = """
import json
from pathlib import Path
from jupyterlab_gpumem.simulator.settings import uuid_of
from tests.nvml_standin import GIB, Gpu, Process, Scenario, Standin
from tests.server.live import LiveServer

folder = Path(FOLDER)
standin = Standin(folder)
options = ("--GpuMem.providers=nvml", "--GpuMem.interval_s=0.5")
uuid = uuid_of(0)
key = f"nvml:{uuid}"

def play(*processes):
    gpu = Gpu(uuid=f"GPU-{uuid}", total_bytes=80 * GIB, used_bytes=30 * GIB, processes=processes)
    standin.play(Scenario(gpus=[gpu]))

def look(server, kernel_id):
    snapshot = server.snapshot()
    [kernel] = [k for k in snapshot["kernels"] if k["id"] == kernel_id]
    device = next((d for d in snapshot["devices"] if d["key"] == key), {"processes": None})
    shares = [s for s in kernel["devices"] if s["key"] == key and s["reserved_bytes"]]
    if len(device["processes"] or ()) != 2 or not shares:
        return None
    told = {p["pid"]: [p["relation"], p["kernel_id"] == kernel_id] for p in device["processes"]}
    return {
        "kernel": told[kernel["pid"]],
        "stranger": told[1],
        "source": shares[0]["used_source"],
        "used": shares[0]["used_bytes"],
        "reserved": shares[0]["reserved_bytes"],
        "other": device["other_bytes"],
    }

play()
with LiveServer(folder, env=standin.env(), options=options) as server:
    kernel_id = server.start_kernel()
    pid = server.attached(kernel_id)["pid"]
    play(Process(pid, 4 * GIB), Process(1, 2 * GIB))
    with server.client(kernel_id) as user:
        user.run("%load_ext jupyterlab_gpumem.simulator")
        user.run("import torch; x = torch.ones(2**20, device='cuda')")
        closed = server.until(lambda: look(server, kernel_id), limit_s=30)
        user.run("gpu = open('/dev/nvidia0')")
        def opened():
            seen = look(server, kernel_id)
            return seen if seen and seen["kernel"][1] else None
        print(json.dumps({"pid": pid, "closed": closed, "opened": server.until(opened)}))
"""


@pytest.mark.timeout(120)
def test_a_strangers_number_is_refused_and_the_kernels_own_report_used(tmp_path: Path) -> None:
    script = f"FOLDER = {str(tmp_path)!r}\n{SCRIPT}"
    told = run_in_namespace(script, tmp_path / "dev")
    assert told["pid"] < 1000  # a number of the namespace
    closed, opened = told["closed"], told["opened"]
    # Without proof neither number is believed, and the kernel's share is what it says itself.
    assert closed["kernel"] == closed["stranger"] == ["unknown", False]
    assert (closed["source"], closed["used"]) == ("kernel", closed["reserved"])
    # With a GPU open the kernel's process is believed; the other number still is not.
    assert opened["kernel"] == ["kernel", True]
    assert opened["stranger"] == ["unknown", False]
    assert (opened["source"], opened["used"]) == ("driver", 4 * 2**30)
    assert opened["other"] == 2 * 2**30
