"""The agent comes beside a cell that runs, and the cell does not notice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kernels import Kernel

CELL = """
import os, time
print('before')
while not os.path.exists({gate!r}): {wait}
print('after')
answer = {ask}
len(answer)
"""


@pytest.mark.parametrize("wait", ["time.sleep(0.02)", "pass"])
def test_a_cell_goes_on_and_is_the_first_that_is_recorded(
    fresh_kernel: Kernel, tmp_path: Path, wait: str
) -> None:
    gate = tmp_path / "gate"
    cell = CELL.format(gate=str(gate), wait=wait, ask="input('how? ')")
    request = fresh_kernel.begin(cell, allow_stdin=True)
    fresh_kernel.messages_until(lambda m: m["msg_type"] == "stream", request)

    figures = fresh_kernel.attach(beside=True)["figures"]

    assert (figures["cell"], figures["running"]) == (1, True)
    gate.touch()
    asked = fresh_kernel.client.get_stdin_msg(timeout=30)
    assert asked["content"]["prompt"] == "how? "
    fresh_kernel.client.input("well")
    run = fresh_kernel.wait(request)
    assert run.reply["status"] == "ok"
    assert "after" in run.printed
    (result,) = run.of_type("execute_result")
    assert result["data"]["text/plain"] == "4"
    (cells,) = [push["cells"] for push in run.pushes if not push["running"]]
    assert [each["cell"] for each in cells] == [1]
    assert fresh_kernel.free("cache", cell=1)["kind"] == "freed"


def test_an_idle_kernel_asked_beside_has_no_cell(fresh_kernel: Kernel) -> None:
    figures = fresh_kernel.attach(beside=True)["figures"]
    assert (figures["cell"], figures["running"]) == (0, False)
    (push,) = fresh_kernel.run("1").pushes
    assert (push["cell"], push["running"]) == (1, False)
