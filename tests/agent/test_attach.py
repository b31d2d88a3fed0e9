"""The agent comes into a kernel, and nobody notices."""

from __future__ import annotations

import queue
import time
from typing import TYPE_CHECKING, Any

import pytest

from jupyterlab_gpumem.server.kernels.bootstrap import (
    NoAnswer,
    agent_version,
    attach_content,
    free_content,
)
from tests.kernels import LIMIT_S, Kernel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.environments import Environment

STATE = """{
    'names': sorted(shell.user_ns), 'hidden': sorted(shell.user_ns_hidden),
    'who': shell.find_line_magic('who_ls')(''),
    'inputs': list(shell.user_ns['In']), 'outputs': sorted(shell.user_ns['Out']),
    'latest': [repr(shell.user_ns.get(n)) for n in ('_', '__', '___', '_i', '_ii', '_iii')],
    'count': shell.execution_count,
    'history': [list(map(str, line)) for line in shell.history_manager.get_range()],
    'sources': len(__import__('linecache').cache),
    'threads': sorted(t.name for t in __import__('threading').enumerate()),
}"""
HOOKS = "[len(shell.events.callbacks[e]) for e in ('pre_run_cell', 'post_run_cell')]"
CELLS = ("x = 1", "x + 1", "1 / 0", "not python", "%who", "'last'")


@pytest.fixture
def twin(environment: Environment, tmp_path: Path) -> Iterator[Kernel]:
    """A second kernel, which gets no agent."""
    (tmp_path / "twin").mkdir()
    kernel = Kernel(environment, tmp_path / "twin")
    yield kernel
    kernel.close()


def _other_version(old: str = "", new: str = "") -> dict[str, Any]:
    """Return the request that attaches another version, with a change in its installer."""
    content = attach_content()
    ((key, expression),) = content["user_expressions"].items()
    assert old in expression
    expression = expression.replace(repr(agent_version()), "'other'").replace(old or "\0", new)
    return {**content, "user_expressions": {key: expression}}


def _forget_what_was_sent(kernel: Kernel) -> None:
    kernel.wait(kernel.begin("", silent=True))


def _kinds_of_next_request(kernel: Kernel) -> set[str]:
    sent = kernel.messages_until(lambda m: m["content"].get("execution_state") == "idle")
    return {message["msg_type"] for message in sent}


def test_attaching_pushing_and_asking_leave_no_trace(fresh_kernel: Kernel, twin: Kernel) -> None:
    before = fresh_kernel.probe(STATE)
    fresh_kernel.attach()
    assert fresh_kernel.probe(STATE) == before

    seen = [fresh_kernel.run(cell) for cell in CELLS]
    fresh_kernel.refresh()
    plain = [twin.run(cell) for cell in CELLS]

    assert [len(run.pushes) for run in seen] == [1] * len(CELLS)
    assert [run.printed for run in seen] == [run.printed for run in plain]
    state, expected = fresh_kernel.probe(STATE), twin.probe(STATE)
    # The one thread of ours begins with the first cell.
    state["threads"].remove("gpumem-sampler")
    assert state == expected


def test_an_idle_kernel_with_the_agent_sends_nothing(kernel: Kernel) -> None:
    kernel.attach()
    kernel.run("import time; time.sleep(1.2)")
    _forget_what_was_sent(kernel)

    with pytest.raises(queue.Empty):
        kernel.client.get_iopub_msg(timeout=5)


def test_attaching_shows_nothing_to_other_clients(kernel: Kernel) -> None:
    _forget_what_was_sent(kernel)
    kernel.attach()
    assert _kinds_of_next_request(kernel) == {"status"}


def test_attaching_twice_changes_nothing(kernel: Kernel) -> None:
    first = kernel.attach()
    kernel.run("pass")
    second = kernel.attach()
    assert first["version"] == second["version"] == agent_version()
    assert second["figures"]["cell"] == first["figures"]["cell"] + 1
    assert kernel.probe(HOOKS) == [1, 1]


def test_an_upgrade_replaces_hooks_and_thread(kernel: Kernel) -> None:
    kernel.attach()
    kernel.run("pass")

    reply = kernel.ask(_other_version())

    assert reply["kind"] == "hello"
    assert reply["version"] == "other"
    assert kernel.probe(HOOKS) == [1, 1]
    assert len(kernel.run("pass").pushes) == 1
    threads = "sum(t.name == 'gpumem-sampler' for t in __import__('threading').enumerate())"
    deadline = time.monotonic() + LIMIT_S
    while kernel.probe(threads) != 1:
        assert time.monotonic() < deadline, "the thread of the old version still runs"
        time.sleep(0.05)


def test_the_agent_comes_again_after_the_user_has_deleted_it(kernel: Kernel) -> None:
    kernel.attach()
    kernel.run(
        "import sys\n"
        "for n in [n for n in sys.modules if n.startswith('_jupyterlab')]: del sys.modules[n]"
    )
    with pytest.raises(NoAnswer, match="not in the kernel"):
        kernel.ask(free_content("cache", keep_imports=True, cell=None))
    kernel.attach()
    assert kernel.probe(HOOKS) == [1, 1]
    assert len(kernel.run("pass").pushes) == 1


def test_the_agent_survives_reset_and_autoreload(kernel: Kernel) -> None:
    cell = kernel.attach()["figures"]["cell"]
    kernel.run("%load_ext autoreload")
    kernel.run("%autoreload 2")
    kernel.run("%reset -f")
    assert len(kernel.run("pass").pushes) == 1
    assert kernel.attach()["figures"]["cell"] == cell + 4
    kernel.run("%autoreload 0")


def test_shadowed_builtins_do_not_stop_the_agent(kernel: Kernel) -> None:
    kernel.run("1 / 0")
    kernel.run("exec = eval = getattr = sys = compile = __import__ = None")
    kernel.attach()
    kernel.free("cache")
    kernel.run("del exec, eval, getattr, sys, compile, __import__")
    # Nor does asking take the place of the user's last exception.
    assert kernel.probe("type(__import__('sys').last_value).__name__") == "ZeroDivisionError"


def test_a_kernel_without_its_builtins_is_an_error_with_a_reason(kernel: Kernel) -> None:
    kernel.run("kept, __builtins__ = __builtins__, 3")
    with pytest.raises(NoAnswer, match="Error"):
        kernel.ask(attach_content())
    kernel.run("__builtins__ = kept; del kept")


def test_an_agent_that_cannot_start_says_why_to_the_asker_alone(kernel: Kernel) -> None:
    broken = _other_version("def install(version: str, payload: str)", "def install(version: str)")
    _forget_what_was_sent(kernel)

    reply = kernel.ask(broken)

    assert reply["kind"] == "refused"
    assert reply["reason"] == "error"
    assert "TypeError" in reply["message"]
    assert _kinds_of_next_request(kernel) == {"status"}
    assert kernel.probe("[n for n in sys.modules if n.startswith('_jupyterlab_g')]") == []


@pytest.mark.parametrize("level", ["cache", "reset"])
def test_a_kernel_without_torch_never_imports_it(kernel: Kernel, level: Any) -> None:
    kernel.attach()
    kernel.run("x = 1")
    report = kernel.free(level)["report"]

    assert kernel.probe("[m for m in ('torch', 'numpy') if m in sys.modules]") == []
    assert report["before"] is report["after"] is None
    assert report["freed_bytes"] is report["freed_host_bytes"] is None
    assert report["still_held_bytes"] is None
