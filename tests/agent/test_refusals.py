"""The agent does nothing when that could fall upon the user's work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyterlab_gpumem.server.kernels.bootstrap import free_content
from tests.agent.cuda_stand_in import STAND_IN

if TYPE_CHECKING:
    from tests.kernels import Kernel

# What the server's request would evaluate, at a moment when the kernel runs no request of ours.
FREE = (
    "sys.modules['_jupyterlab_gpumem.agent'].free(level='reset')"
    "._repr_mimebundle_()['application/json']"
)


def test_free_is_refused_when_cells_have_run_that_the_asker_does_not_know(kernel: Kernel) -> None:
    known = kernel.run("mine = 1").pushes[-1]["cell"]
    kernel.run("mine = 2")

    reply = kernel.ask(free_content("reset", keep_imports=True, cell=known))

    assert reply["kind"] == "refused"
    assert reply["reason"] == "newer_cell"
    assert kernel.probe("shell.user_ns['mine']") == 2
    kernel.free("reset", cell=known + 1)
    assert kernel.probe("'mine' in shell.user_ns") is False


def test_free_is_refused_while_a_cell_waits_in_await(kernel: Kernel) -> None:
    run = kernel.run(
        "import asyncio, sys\n"
        "mine = 1\n"
        "answers = []\n"
        f"asyncio.get_running_loop().call_later(0.1, lambda: answers.append({FREE}))\n"
        "while not answers: await asyncio.sleep(0.05)\n"
        "print(mine, answers[0]['reason'])"
    )
    assert run.printed == "1 cell_running\n"
    kernel.free("reset")


def test_free_is_possible_after_an_awaiting_cell_was_interrupted(kernel: Kernel) -> None:
    kernel.run("import asyncio")
    kernel.run("raise_in = asyncio.current_task().cancel(); await asyncio.sleep(30)")
    kernel.free("reset")


def test_free_is_refused_on_another_thread_than_the_main_one(kernel: Kernel) -> None:
    kernel.run("mine = 1")
    assert kernel.probe(FREE)["reason"] == "not_main_thread"
    assert kernel.probe("shell.user_ns['mine']") == 1


def test_free_is_refused_while_a_cuda_graph_is_recorded(fresh_kernel: Kernel) -> None:
    fresh_kernel.attach()
    fresh_kernel.run(STAND_IN + "cuda.is_current_stream_capturing = lambda: True")

    reply = fresh_kernel.ask(free_content("cache", keep_imports=True, cell=None))

    assert reply["kind"] == "refused"
    assert reply["reason"] == "capture"


def test_an_unknown_level_is_refused_with_the_known_ones(kernel: Kernel) -> None:
    content = free_content("cache", keep_imports=True, cell=None)
    content["user_expressions"] = {
        key: expression.replace("'cache'", "'everything'")
        for key, expression in content["user_expressions"].items()
    }
    reply = kernel.ask(content)
    assert reply["kind"] == "refused"
    assert "cache, objects and reset" in reply["message"]
