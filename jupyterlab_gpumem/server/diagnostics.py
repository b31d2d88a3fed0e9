"""What works and what does not: the machine, the server, and each kernel."""

from __future__ import annotations

import asyncio
import platform
import sys
from importlib import metadata
from typing import TYPE_CHECKING

from ..devices.checks import check, machine_checks
from ..wire import WIRE_VERSION
from .errand import Errand

if TYPE_CHECKING:
    from ..wire import AgentState, Check, CheckState, Diagnostics, Kernel, Snapshot
    from .snapshot import Snapshots

HINTS = frozenset({"agent_failed", "gpu_out_of_sight"})
"""Codes of remedies that only these checks give."""
FIRST_LOOK_S = 5.0
POLL_S = 0.1
MACHINE_LIMIT_S = 5.0

_LEVELS: dict[AgentState, CheckState] = {
    "attached": "ok",
    "waiting": "info",
    "unsupported": "info",
    "off": "info",
    "failed": "error",
}


_NO_ANSWER = check("driver", "error", "Looking at the machine takes too long", "driver_hangs")


async def diagnose(snapshots: Snapshots) -> Diagnostics:
    """Look at everything once."""
    snapshot = await _settled(snapshots)
    checks = [server_check()]
    errand = Errand([_NO_ANSWER], wait_s=MACHINE_LIMIT_S)
    checks += await errand.do(lambda: machine_checks(snapshot["providers"], snapshot["devices"]))
    for kernel in snapshot["kernels"]:
        checks += kernel_checks(kernel)
    return {"wire_version": WIRE_VERSION, "taken_at_ms": snapshot["taken_at_ms"], "checks": checks}


def kernel_checks(kernel: Kernel) -> list[Check]:
    """Tell whether a kernel has our agent, and whether the server sees the GPUs it uses."""
    name = kernel["document_name"] or kernel["id"]
    agent = kernel["agent"]
    about = f"{name} ({kernel['name']}, pid {kernel['pid']}): {agent['state']}"
    if agent["reason"]:
        about = f"{about}, {agent['reason']}"
    hint = "agent_failed" if agent["state"] == "failed" else None
    checks = [check("kernel", _LEVELS[agent["state"]], about, hint)]
    unseen = [
        share["key"].partition(":")[2]
        for share in kernel["devices"]
        if share["key"].startswith("kernel:") and share["key"] != "kernel:mps"
    ]
    if unseen:
        detail = f"{name} uses a GPU that this server cannot see: {', '.join(unseen)}"
        checks.append(check("kernel", "warning", detail, "gpu_out_of_sight"))
    return checks


async def _settled(snapshots: Snapshots) -> Snapshot:
    """Return a snapshot in which every source has had the time to answer."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + FIRST_LOOK_S
    while True:
        snapshot = await snapshots.present()
        is_new = any(provider["state"] == "starting" for provider in snapshot["providers"])
        if not is_new or loop.time() > deadline:
            return snapshot
        await asyncio.sleep(POLL_S)


def server_check() -> Check:
    """Tell which versions run, and where."""
    versions = ", ".join(
        f"{name} {_version(name)}" for name in ("jupyterlab-gpumem", "jupyter_server")
    )
    python = platform.python_version()
    return check("server", "ok", f"{versions}, Python {python} at {sys.prefix}, {sys.platform}")


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:  # a checkout that was never installed
        return "from source"
