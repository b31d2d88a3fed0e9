"""What a reset leaves in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.environments import current
from tests.kernels import Kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

IMPORTS = """
import torch
import os.path as path_module
import numpy as np
from collections import OrderedDict
from functools import partial, lru_cache
from math import pi, sin
from os import environ
from random import randint
from torch import float32, relu, tensor
from torch.nn import Linear
from torch.nn.functional import relu as rectify
from typing import Optional
"""
USER = """
number, word, ratio, nothing = 1, 'word', 0.5, None
data = tensor([1.0])
def function(): return data
class Class: pass
anonymous = lambda: data
model = Linear(2, 2)
bound = data.add
method = model.forward
half = partial(relu, data)
closed = torch.no_grad()(lambda: data)
import types
by_hand = types.ModuleType('by_hand')
by_hand.data = data
made = lru_cache(lambda: data)
del types
"""
NAMES = "sorted(n for n in shell.find_line_magic('who_ls')(''))"
KEPT = [
    *["Linear", "Optional", "OrderedDict", "environ", "float32", "lru_cache", "np", "partial"],
    *["path_module", "pi", "randint", "rectify", "relu", "sin", "tensor", "torch"],
]


def _use(kernel: Kernel) -> None:
    kernel.run(IMPORTS)
    kernel.run(USER)


def test_imports_are_kept_and_nothing_else(torch_kernel: Kernel) -> None:
    _use(torch_kernel)
    report = torch_kernel.free(keep_imports=True)["report"]
    assert torch_kernel.probe(NAMES) == KEPT
    dropped = {d["path"] for d in report["dropped"]}
    assert dropped.isdisjoint(KEPT)
    assert {"data", "model", "bound", "by_hand", "number", "function"} <= dropped


def test_without_keeping_imports_nothing_is_kept(torch_kernel: Kernel) -> None:
    _use(torch_kernel)
    report = torch_kernel.free(keep_imports=False)["report"]
    assert torch_kernel.probe(NAMES) == []
    assert {"torch", "data"} <= {d["path"] for d in report["dropped"]}
    assert torch_kernel.probe("'torch' in sys.modules") is True


def test_names_that_who_leaves_out_stay_left_out(torch_kernel: Kernel) -> None:
    torch_kernel.run(
        "import string; get_ipython().push({'hidden': string}, interactive=False); del string"
    )
    torch_kernel.free()
    assert torch_kernel.probe("shell.user_ns['hidden'].__name__") == "string"
    assert "hidden" not in torch_kernel.probe(NAMES)


def test_counter_and_history_go_on(torch_kernel: Kernel) -> None:
    first = torch_kernel.run("'before the reset'").reply["execution_count"]
    torch_kernel.free()
    second = torch_kernel.run("In[-2], Out").reply["execution_count"]

    assert second == first + 1
    assert torch_kernel.probe("shell.user_ns['In'][-2]") == "'before the reset'"
    history = "[line for *_, line in shell.history_manager.get_range()]"
    assert "'before the reset'" in torch_kernel.probe(history)


def test_the_shell_works_as_before(torch_kernel: Kernel) -> None:
    torch_kernel.run(
        "calls = []\n"
        "get_ipython().events.register('post_run_cell', calls.append)\n"
        "get_ipython().register_magic_function(lambda line: 'magic ' + line, 'line', 'mine')\n"
        "%alias say echo said\n"
        "%load_ext autoreload"
    )
    hooks = torch_kernel.probe("len(shell.events.callbacks['post_run_cell'])")
    torch_kernel.free()

    for name in ("get_ipython", "In", "Out", "exit", "display"):
        assert torch_kernel.run(f"print(type({name}))").reply["status"] == "ok"
    assert torch_kernel.probe("len(shell.events.callbacks['post_run_cell'])") == hooks
    assert (
        torch_kernel.run("print(get_ipython().run_line_magic('mine', 'x'))").printed == "magic x\n"
    )
    assert torch_kernel.run("%say it").printed.strip() == "said it"
    assert torch_kernel.run("%autoreload 0").reply["status"] == "ok"
    torch_kernel.run("get_ipython().events.callbacks['post_run_cell'].pop()")


def test_xdel_works_as_the_first_cell_after_a_reset(torch_kernel: Kernel) -> None:
    torch_kernel.free()
    run = torch_kernel.run("x = 1\n%xdel x")
    assert run.reply["status"] == "ok"
    assert run.printed == ""


def test_the_next_cell_has_the_kept_imports(torch_kernel: Kernel) -> None:
    torch_kernel.run("import torch")
    torch_kernel.free()
    assert torch_kernel.run("torch.ones(2).sum().item()").reply["status"] == "ok"


@pytest.fixture
def rich_kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """A kernel with matplotlib and ipywidgets, which only our own environment has."""
    kernel = Kernel(current(), tmp_path_factory.mktemp("kernel"))
    kernel.attach()
    kernel.run(
        "import matplotlib; matplotlib.use('agg')\nimport ipywidgets, matplotlib.pyplot as plt"
    )
    yield kernel
    kernel.close()


def test_a_reset_closes_figures_and_widgets_and_names_them(rich_kernel: Kernel) -> None:
    watch = "__import__('sys').modules['gpumem_probe'].watch"
    rich_kernel.run(
        f"figure = plt.figure(); figure.kept = {watch}('figure', type('T', (), {{}})())"
    )
    rich_kernel.run(f"w = ipywidgets.IntText(); w.kept = {watch}('widget', type('T', (), {{}})())")
    rich_kernel.run(f"class T: pass\nt = {watch}('class', T())")
    assert rich_kernel.probe("alive()") == ["class", "figure", "widget"]

    report = rich_kernel.free()["report"]

    assert rich_kernel.probe("alive()") == []
    dropped = [(d["root"], d["path"]) for d in report["dropped"]]
    assert ("figure", "Figure 1") in dropped
    assert ("widget", "IntText") in dropped
    assert [step for step in report["steps"] if step["error"]] == []
