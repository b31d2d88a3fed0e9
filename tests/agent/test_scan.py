"""Properties of a scan, in this process: nothing missed, nothing counted twice, nothing held."""

from __future__ import annotations

import gc
import random
import sys
import threading
import time
import weakref
from typing import Any

import pytest
import torch

from jupyterlab_gpumem.agent.frames import locals_of
from tests.agent.notebook import Notebook

MIB = 1 << 20
SEEDS = range(2)


def mib(count: int = 1) -> torch.Tensor:
    return torch.ones(count * MIB // 4)


class Holder:
    """An object with an attribute and a slot."""

    def __init__(self, *values: Any) -> None:
        self.values = values


@pytest.fixture
def notebook() -> Notebook:
    gc.collect()
    return Notebook()


class World:
    """Variables over a random graph of containers, closures, cycles and views."""

    def __init__(self, seed: int) -> None:
        dice = random.Random(seed)  # noqa: S311  not for secrets
        self.tensors = [mib() for _ in range(6)]
        nodes: list[Any] = [*self.tensors, *(t[: MIB // 8] for t in self.tensors[:3])]
        for _ in range(14):
            nodes.append(self._node(dice, nodes))
        loop: list[Any] = [dice.choice(nodes)]
        loop.append(loop)
        self.names = {f"v{i}": dice.choice(nodes[6:]) for i in range(3)}
        self.names["loop"] = loop

    def _node(self, dice: random.Random, nodes: list[Any]) -> Any:
        one, other = dice.choice(nodes), dice.choice(nodes)
        make = (
            lambda: [one, other],
            lambda: {"a": one, 3: (other,)},
            lambda: Holder(one, other),
            lambda: lambda: (one, other),
            lambda: (n for n in (one, other)),
            lambda: {frozenset({3}): one, other if isinstance(other, Holder) else 4: other},
        )
        return dice.choice(make)()


@pytest.mark.parametrize("seed", SEEDS)
def test_what_only_a_variable_holds_is_what_goes_with_it(notebook: Notebook, seed: int) -> None:
    notebook.names.update(World(seed).names)
    gc.collect()
    only, visible = _only(notebook)
    assert sum(only.values()) <= visible
    for name in sorted(notebook.names):
        del notebook.names[name]
        gc.collect()
        next_only, left = _only(notebook)
        assert visible - left == only.get(name, 0), name
        only, visible = next_only, left
    assert visible == 0


def _only(notebook: Notebook) -> tuple[dict[str, int], int]:
    """Return the bytes that each variable alone holds, and all that were found."""
    found = notebook.scan().attribution
    only: dict[str, int] = {}
    for key, mask in found.masks.items():
        assert mask, "held, but by nobody"
        paths = [root.path for root in found.roots_in(mask)]
        if len(paths) == 1:
            only[paths[0]] = only.get(paths[0], 0) + found.storages[key].nbytes
    return only, sum(storage.nbytes for storage in found.storages.values())


@pytest.mark.parametrize("seed", SEEDS[:2])
def test_a_scan_keeps_nothing_alive_and_finds_the_same_again(notebook: Notebook, seed: int) -> None:
    notebook.names.update(World(seed).names)
    paths = notebook.paths()
    assert notebook.paths() == paths
    gc.collect()
    gc.disable()
    try:
        refs = [weakref.ref(v) for v in notebook.names.values() if type(v) is Holder]
        found = notebook.scan()
        search = weakref.ref(found.attribution.search)
        del found
        assert search() is None
        notebook.names.clear()
        gc.collect()
        assert [r for r in refs if r() is not None] == []
        assert _only(notebook) == ({}, 0)
    finally:
        gc.enable()


def test_looking_at_a_running_function_does_not_keep_what_it_deletes(notebook: Notebook) -> None:
    told: list[Any] = []
    asked, deleted, over = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        local = Holder(mib())
        told.append(weakref.ref(local))
        asked.set()
        deleted.wait(30)
        del local
        told.append(told[0]())
        over.set()

    thread = threading.Thread(target=work, name="worker")
    thread.start()
    assert asked.wait(30)
    assert any("thread worker → work()" in path for path in notebook.paths())
    deleted.set()
    assert over.wait(30)
    thread.join()
    assert told[1] is None


def test_what_locals_hands_out_is_left_as_it_is() -> None:
    value = Holder()
    mine = locals()
    assert locals_of(sys._getframe())["value"] is value
    assert mine["value"] is value


def test_a_limit_makes_the_answer_partial_and_costs_the_model_nothing(notebook: Notebook) -> None:
    notebook.names["big"] = [{"a": [i]} for i in range(200_000)]
    notebook.names["model"] = torch.nn.Linear(512, 512)
    began = time.monotonic()
    found = notebook.scan(limit_s=0.05)
    assert time.monotonic() - began < 20
    assert found.is_partial
    attribution = found.attribution
    assert "model.weight" in [
        found.path_to(root, key)
        for key, mask in attribution.masks.items()
        for root in attribution.roots_in(mask)
    ]
