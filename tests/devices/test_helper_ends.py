"""The end of the helper process: by request, with its server, or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from jupyterlab_gpumem.devices.isolation import IsolatedProvider
from jupyterlab_gpumem.devices.isolation.process import HelperHangs
from tests.nvml_standin import Delay, Scenario, Standin

from .endings import has_ended, wait_until
from .reading import read, refusal, sample_of

if TYPE_CHECKING:
    from pathlib import Path

MEMORY = "nvmlDeviceGetMemoryInfo_v2"


def test_closing_shuts_the_library_down_and_leaves_no_process(
    far_driver: Standin, provider: IsolatedProvider
) -> None:
    """F32."""
    read(provider)
    pid = provider.helper_pid
    assert pid
    provider.close()
    provider.close()
    assert has_ended(pid)
    assert far_driver.calls()[-1].symbol == "nvmlShutdown"


def test_modules_in_the_servers_folder_do_not_get_into_the_helper(
    far_driver: Standin,
    provider: IsolatedProvider,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "queue.py").write_text("1 / 0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert sample_of(read(provider)).state == "ok"


class StuckHelper:
    """A process in an uninterruptible sleep: no answer, and no end."""

    pid = 4711
    has_ended = False

    def ask(self, question: dict[str, Any], *, limit_s: float) -> dict[str, Any]:
        raise HelperHangs(f"no answer for {limit_s:g} s")

    def end(self) -> None:
        pass


def test_no_second_process_follows_one_that_cannot_be_killed_into_the_driver() -> None:
    """F41: each would be stuck there as well."""
    stuck: list[StuckHelper] = []

    def start(root: Path, sensors: bool) -> StuckHelper:
        stuck.append(StuckHelper())
        return stuck[-1]

    provider = IsolatedProvider(start=start)
    for _ in range(3):
        refused = refusal(provider)
        assert (refused.state, refused.hint) == ("hung", "driver_hangs")
    assert "4711" in refused.detail
    assert len(stuck) == 1
    stuck[0].has_ended = True
    refusal(provider)
    assert len(stuck) == 2


SERVER = """
import sys, time
from tests.devices.reading import NOWHERE, read
from jupyterlab_gpumem.devices.isolation import IsolatedProvider
provider = IsolatedProvider(root=NOWHERE)
read(provider)
print(provider.helper_pid, flush=True)
if sys.argv[1] == "hang":
    sys.stdin.readline()
    read(provider)
time.sleep(60)
"""


@pytest.mark.parametrize("when", ["idle", "hang"])
def test_a_helper_ends_with_its_server_even_if_that_is_killed(driver: Standin, when: str) -> None:
    """Also while it waits for the driver, and cannot be asked to."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, when],
        env={**os.environ, **driver.env()},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as server:
        assert server.stdout
        assert server.stdin
        pid = int(server.stdout.readline())
        if when == "hang":
            driver.play(Scenario(delays=[Delay(MEMORY, 60)]))
            asked = driver.count(MEMORY)
            server.stdin.write(b"\n")
            server.stdin.flush()
            wait_until(lambda: driver.count(MEMORY) > asked)
        os.kill(server.pid, signal.SIGKILL)
    wait_until(lambda: has_ended(pid))
