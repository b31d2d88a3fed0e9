"""What the agent records of each cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .cuda_stand_in import STAND_IN

if TYPE_CHECKING:
    from tests.kernels import Kernel

HOLD = "stats['allocated_bytes.all.current'] = {now}; stats['allocated_bytes.all.peak'] = {peak}"


@pytest.fixture(autouse=True)
def _stand_in(kernel: Kernel) -> None:
    kernel.run(STAND_IN)


def run(kernel: Kernel, code: str, **options: Any) -> Any:
    """Run a cell and return the record that was pushed when it had ended."""
    (push,) = kernel.run(code, **options).pushes
    (cell,) = push["cells"]
    return cell


def test_a_cell_tells_what_it_held_before_after_and_at_its_peak(kernel: Kernel) -> None:
    kernel.run(HOLD.format(now=1000, peak=2000))
    cell = run(kernel, HOLD.format(now=1500, peak=5000) + "\nimport time; time.sleep(0.05)")
    assert cell["duration_ms"] >= 50
    assert (cell["error"], cell["out_of_memory"]) == (None, False)
    (device,) = cell["devices"]
    assert device["uuid"] == "abcd-0"
    assert device["allocated_before_bytes"] == 1000
    assert device["allocated_after_bytes"] == device["seen_allocated_bytes"] == 1500
    assert device["peak_allocated_bytes"] == 5000
    assert device["reserved_before_bytes"] == device["reserved_after_bytes"] == 4000


def test_a_peak_that_an_earlier_cell_hides_is_unknown_and_never_reset(kernel: Kernel) -> None:
    kernel.run("cuda.reset_peak_memory_stats = lambda *_: 1 / 0")
    kernel.run(HOLD.format(now=1000, peak=9000))
    (device,) = run(kernel, HOLD.format(now=3000, peak=9000))["devices"]
    assert device["peak_allocated_bytes"] is None
    assert device["seen_allocated_bytes"] == 3000
    (device,) = run(kernel, HOLD.format(now=9000, peak=9000))["devices"]
    assert device["peak_allocated_bytes"] == 9000


def test_a_cell_that_starts_cuda_held_nothing_before(kernel: Kernel) -> None:
    kernel.run("started = False")
    (device,) = run(kernel, "started = True")["devices"]
    assert (device["allocated_before_bytes"], device["allocated_after_bytes"]) == (0, 1000)
    assert device["peak_allocated_bytes"] == 2000


def test_a_cell_without_cuda_is_recorded_all_the_same(kernel: Kernel) -> None:
    kernel.run("started = False")
    assert run(kernel, "pass")["devices"] == []


def test_a_cell_has_the_id_of_the_notebook_and_its_number(kernel: Kernel) -> None:
    request = kernel.client.session.msg("execute_request", {"code": "1", "silent": False})
    request["metadata"] = {"cellId": "abc-1"}
    kernel.client.shell_channel.send(request)
    (push,) = kernel.wait(request["header"]["msg_id"]).pushes
    (cell,) = push["cells"]
    assert cell["cell_id"] == "abc-1"
    assert cell["execution_count"] == kernel.probe("shell.execution_count") - 1
    plain = run(kernel, "1", store_history=False)
    assert (plain["cell_id"], plain["execution_count"]) == (None, None)


@pytest.mark.parametrize(
    ("code", "error", "ran_out"),
    [
        ("1 / 0", "ZeroDivisionError", False),
        ("for", "SyntaxError", False),
        ("raise RuntimeError('CUDA out of memory. Tried to allocate 2 GiB')", "RuntimeError", True),
        ("raise RuntimeError('CUDA error: out of memory')", "RuntimeError", True),
        ("raise ValueError('RESOURCE_EXHAUSTED: Out of memory allocating')", "ValueError", True),
        ("raise cuda.OutOfMemoryError('no text that we know')", "OutOfMemoryError", True),
        (
            "try: raise RuntimeError('CUDA out of memory.')\n"
            "except RuntimeError as cause: raise KeyError('batch') from cause",
            "KeyError",
            True,
        ),
        ("raise KeyboardInterrupt", "KeyboardInterrupt", False),
        (
            "class Loud(Exception):\n"
            "    def __str__(self): loud.append(1); return 'CUDA out of memory'\n"
            "loud = []\n"
            "raise Loud('quiet')",
            "Loud",
            False,
        ),
    ],
)
def test_a_failed_cell_tells_its_error_and_whether_memory_ran_out(
    kernel: Kernel, code: str, error: str, *, ran_out: bool
) -> None:
    kernel.run("cuda.OutOfMemoryError = type('OutOfMemoryError', (RuntimeError,), {})")
    cell = run(kernel, code)
    assert (cell["error"], cell["out_of_memory"]) == (error, ran_out)


def test_a_cell_that_runs_cells_itself_is_recorded_once(kernel: Kernel) -> None:
    cell = run(kernel, "get_ipython().run_cell('1 / 0'); None")
    assert cell["error"] is None


def test_the_last_cells_are_told_to_who_comes_later(kernel: Kernel) -> None:
    for _ in range(60):
        last = run(kernel, "pass")
    told = kernel.attach()["figures"]["cells"]
    assert [cell["cell"] for cell in told] == list(range(last["cell"] - 49, last["cell"] + 1))


def test_a_record_holds_nothing_of_the_user(kernel: Kernel) -> None:
    kernel.run(
        "class Big: pass\n"
        "def fail():\n"
        "    here = sys.modules['gpumem_probe'].watch('big', Big())\n"
        "    raise RuntimeError('CUDA out of memory')"
    )
    kernel.run("for name in ('torch', 'torch.cuda', 'torch._C'): del sys.modules[name]")
    cell = run(kernel, "fail()")
    assert cell["out_of_memory"] is True, cell
    kernel.free("reset")
    assert kernel.probe("alive()") == []
