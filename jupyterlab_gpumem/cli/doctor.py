"""``jupyter gpumem doctor``: the checks of this machine, and of the kernels of running servers."""

from __future__ import annotations

import asyncio
import json
import logging
import textwrap
import time
from typing import TYPE_CHECKING

from ..devices.catalog import PROVIDERS, make_providers
from ..devices.checks import machine_checks
from ..devices.sampler import Sampler
from ..server.attribution import attribute
from ..server.diagnostics import server_check
from ..server.views import provider_view
from ..wire import WIRE_VERSION
from .servers import running_servers, server_checks
from .words import check_words, hint_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..devices.provider import Sweep
    from ..wire import Check, Diagnostics

WRONG = 3
"""Exit code when something has to be repaired; 1 and 2 are Python's and argparse's."""
LOOK_LIMIT_S = 15.0
"""Eight GPUs that nobody uses take seconds to start."""
POLL_S = 0.1
WIDTH = 100


def doctor(*, as_json: bool) -> int:
    """Look at everything, print what was found, and return the exit code."""
    checks = [server_check(), *asyncio.run(_look_here())]
    for server in running_servers():
        checks += server_checks(server)
    found: Diagnostics = {
        "wire_version": WIRE_VERSION,
        "taken_at_ms": int(time.time() * 1000),
        "checks": checks,
    }
    print(json.dumps(found, indent=2) if as_json else "\n".join(_lines(checks)))
    return WRONG if any(check["state"] == "error" for check in checks) else 0


async def _look_here() -> list[Check]:
    """Read the devices as a server would, and check the machine while they are open."""
    log = logging.getLogger(__name__)
    log.addHandler(logging.NullHandler())
    providers = make_providers(
        PROVIDERS, isolate_nvml=True, read_sensors=False, simulate="", log=log
    )
    sampler = Sampler(providers, log=log)
    try:
        sweep = await _settled(sampler)
        devices = attribute(sweep.readings, {}, {}, believed=set(), interval_s=LOOK_LIMIT_S).devices
        views = [provider_view(status) for status in sweep.statuses]
        return await asyncio.to_thread(machine_checks, views, devices)
    finally:
        await sampler.stop()


async def _settled(sampler: Sampler) -> Sweep:
    deadline = time.monotonic() + LOOK_LIMIT_S
    while True:
        sweep = await sampler.sweep()
        starting = any(status.state == "starting" for status in sweep.statuses)
        if not starting or time.monotonic() > deadline:
            return sweep
        await asyncio.sleep(POLL_S)


def _lines(checks: list[Check]) -> Iterator[str]:
    for check in checks:
        yield f"{check['state']:<8} {check_words(check['name']):<16} {check['detail']}"
        if check["hint"] is not None and check["state"] != "ok":
            indent = " " * 26
            yield textwrap.fill(
                hint_words(check["hint"]), WIDTH, initial_indent=indent, subsequent_indent=indent
            )
    wrong = sum(check["state"] == "error" for check in checks)
    yield ""
    yield f"To be repaired: {wrong}." if wrong else "Nothing has to be repaired."
