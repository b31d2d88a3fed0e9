"""Figures on request: an opened comm, answered by one push, and nobody notices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kernels import pushes

from .cuda_stand_in import DEVICE, STAND_IN

if TYPE_CHECKING:
    from tests.kernels import Kernel

EVENTS = ("pre_execute", "pre_run_cell", "post_run_cell", "post_execute")
WATCH = f"""
calls, hooks = [], {{}}
for event in {EVENTS!r}:
    hooks[event] = lambda *_, e=event: calls.append(e)
    get_ipython().events.register(event, hooks[event])
"""


def test_a_refresh_is_answered_by_one_push_and_nothing_else(kernel: Kernel) -> None:
    kernel.run(STAND_IN)
    kernel.run("for name in ('current', 'peak'): stats[f'allocated_bytes.all.{name}'] = 3000")
    sent = kernel.refresh()
    (push,) = pushes(sent)
    names = ("allocated_bytes", "peak_allocated_bytes", "cell_peak_allocated_bytes")
    assert push["allocators"] == [{**DEVICE, **dict.fromkeys(names, 3000)}]
    assert (push["running"], push["cells"]) == (False, [])
    assert [m["msg_type"] for m in sent] == ["status", "comm_msg", "status"]
    # No comm is left, whose end a page would be told of and not know.
    assert kernel.probe("list(shell.kernel.comm_manager.comms)") == []
    kernel.run("import gc; gc.collect()")
    assert [m["msg_type"] for m in kernel.refresh()] == ["status", "comm_msg", "status"]


def test_hooks_of_the_user_run_for_cells_of_the_user_alone(kernel: Kernel) -> None:
    kernel.run("started = False")
    kernel.run(WATCH)
    seen = kernel.probe("len(shell.user_ns['calls'])")
    kernel.refresh()
    assert kernel.probe("len(shell.user_ns['calls'])") == seen
    kernel.attach()
    kernel.free("cache")
    # The one event that IPython has for every request that can carry code, even an empty one.
    asked = kernel.probe(f"shell.user_ns['calls'][{seen}:]")
    assert set(asked) == {"post_execute"}
    kernel.run("pass")
    assert kernel.probe(f"shell.user_ns['calls'][{seen + len(asked)}:]") == [
        "pre_execute",
        "pre_run_cell",
        "post_execute",
        "post_run_cell",
    ]
    kernel.run("for event in hooks: get_ipython().events.unregister(event, hooks[event])")
