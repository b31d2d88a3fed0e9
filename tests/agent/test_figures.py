"""Figures that the agent pushes, read from a stand-in for ``torch.cuda``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jupyterlab_gpumem.agent.changes import differs
from jupyterlab_gpumem.agent.sampler import pause_s
from tests.kernels import pushes

from .cuda_stand_in import DEVICE, STAND_IN

if TYPE_CHECKING:
    from tests.kernels import Kernel


@pytest.fixture(autouse=True)
def _stand_in(request: pytest.FixtureRequest) -> None:
    if "kernel" in request.fixturenames:
        request.getfixturevalue("kernel").run(STAND_IN)


@pytest.mark.parametrize(
    "cell",
    [
        "1 + 1",
        "1 / 0",
        "not python",
        "import asyncio; await asyncio.sleep(0.01)",
        "get_ipython().run_cell('1 + 1')",
    ],
)
def test_each_cell_ends_with_one_push_as_part_of_it(kernel: Kernel, cell: str) -> None:
    before = kernel.attach()["figures"]["cell"]
    run = kernel.run(cell)

    (push,) = run.pushes
    assert push["cell"] == before + (2 if "run_cell" in cell else 1)
    assert push["running"] is False
    assert push["allocators"] == [DEVICE]
    assert push["pid"] == kernel.probe("__import__('os').getpid()")


def test_a_silent_request_pushes_nothing(kernel: Kernel) -> None:
    assert kernel.run("1 + 1", silent=True).pushes == []


def test_no_device_is_touched_that_the_process_has_no_context_on(kernel: Kernel) -> None:
    (push,) = kernel.run("contexts.add(1)").pushes
    assert [d["index"] for d in push["allocators"] or ()] == [0, 1]
    (push,) = kernel.run("contexts.clear()").pushes
    assert push["allocators"] == []


def test_there_are_no_figures_before_the_user_starts_cuda(kernel: Kernel) -> None:
    (push,) = kernel.run("started = False").pushes
    assert push["allocators"] is None


def test_a_failing_driver_means_unknown_and_says_nothing_in_the_cell(kernel: Kernel) -> None:
    run = kernel.run("cuda.memory_stats = lambda index: 1 / 0")
    (push,) = run.pushes
    assert push["allocators"] is None
    assert run.printed == ""


@pytest.mark.parametrize("wait", ["time.sleep(0.1)", "await asyncio.sleep(0.1)"])
def test_a_long_cell_pushes_when_a_figure_changes(kernel: Kernel, wait: str) -> None:
    request = kernel.begin(
        "import asyncio, time\n"
        "for i in range(24):\n"
        "    stats['reserved_bytes.all.current'] += 1\n"
        f"    {wait}"
    )
    messages = kernel.messages_until(lambda m: bool(pushes([m])), request)
    (early,) = pushes(messages)
    assert early["running"] is True
    rest = kernel.wait(request)
    assert rest.pushes[-1]["running"] is False


def test_a_long_cell_pushes_nothing_while_no_figure_changes(kernel: Kernel) -> None:
    kernel.run("pass")
    assert len(kernel.run("import time; time.sleep(2.5)").pushes) == 1


def test_nobody_asks_the_allocator_while_the_user_records_it(kernel: Kernel) -> None:
    kernel.run("c._cuda_isHistoryEnabled = lambda: True")
    cell = "import time\nstats['reserved_bytes.all.current'] += 1\ntime.sleep(1.5)"
    assert len(kernel.run(cell).pushes) == 1


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, False),
        ({"allocated_bytes": 1019}, False),
        ({"allocated_bytes": 1021}, True),
        ({"allocated_bytes": 979}, True),
        ({"reserved_bytes": 4001}, True),
        ({"peak_allocated_bytes": 9000}, False),
        ({"index": 1}, True),
    ],
)
def test_only_a_change_that_matters_is_worth_a_push(
    change: dict[str, Any], *, expected: bool
) -> None:
    old: Any = [DEVICE]
    new: Any = [{**DEVICE, **change}]
    assert differs((old, []), (new, [])) is expected


def test_a_new_device_and_a_start_of_cuda_are_worth_a_push() -> None:
    one: Any = [DEVICE]
    assert differs((None, []), (one, []))
    assert differs((one, []), (one * 2, []))
    assert not differs((None, []), (None, []))


def test_the_first_bytes_are_worth_a_push() -> None:
    empty: Any = [{**DEVICE, "allocated_bytes": 0}]
    one: Any = [{**DEVICE, "allocated_bytes": 512}]
    assert differs((empty, []), (one, []))


def test_a_change_of_another_library_is_worth_a_push() -> None:
    held: Any = [{"library": "jax", "device": "gpu:0", "used_bytes": 100}]
    more: Any = [{**held[0], "used_bytes": 110}]
    assert differs((None, []), (None, held))
    assert differs((None, held), (None, more))
    assert not differs((None, held), (None, held))


def test_pushes_of_a_long_cell_get_rarer() -> None:
    assert [pause_s(age) for age in (0, 30, 90, 300, 86_400)] == [1, 1, 3, 10, 10]
