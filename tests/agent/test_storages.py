"""Finding all tensor memory, in this process."""

from __future__ import annotations

import gc
import threading
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from jupyterlab_gpumem.agent.storages import count, find_storages

MIB = 1 << 20


def mib(count: int = 1) -> torch.Tensor:
    return torch.ones(count * MIB // 4)


def host_bytes() -> int:
    storages = find_storages()
    assert storages is not None
    return count(storages, alive=True).host_bytes


class Grown:
    """The bytes that have come since it was made."""

    def __init__(self) -> None:
        gc.collect()
        self._before = host_bytes()

    @property
    def bytes(self) -> int:
        return host_bytes() - self._before


@pytest.fixture
def grown() -> Grown:
    return Grown()


def test_a_storage_counts_once_for_all_its_views_and_names(grown: Grown) -> None:
    tensor = mib()
    other = {"view": tensor[10:], "same": [tensor], "shape": tensor.view(2, -1)}
    assert grown.bytes == MIB
    del tensor, other


def test_a_view_counts_with_all_that_it_keeps(grown: Grown) -> None:
    view = mib(4)[:1]
    assert grown.bytes == 4 * MIB
    del view


def test_a_gradient_counts_that_python_has_never_seen(grown: Grown) -> None:
    leaf = mib().requires_grad_()
    (leaf * 2).sum().backward()  # type: ignore[no-untyped-call]  # torch has no annotation here
    assert grown.bytes == 2 * MIB
    del leaf


def test_what_only_the_graph_saves_counts(grown: Grown) -> None:
    def chain() -> torch.Tensor:
        value = mib().requires_grad_()
        for _ in range(10):
            value = value.sigmoid()
        return value.sum()

    loss = chain()
    # The leaf and ten results, of which Python has none.
    assert grown.bytes >= 0.95 * 11 * MIB
    loss.backward()  # type: ignore[no-untyped-call]  # torch has no annotation here
    assert grown.bytes < 3 * MIB


def test_what_a_function_of_the_user_saves_counts(grown: Grown) -> None:
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, value: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(torch.ones_like(value))
            return value * 2

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            return grads[0] * 2

    leaf = mib().requires_grad_()
    doubled = Twice.apply(leaf)  # type: ignore[no-untyped-call]  # torch has no annotation here
    loss = doubled.exp().sum()
    assert 4 * MIB <= grown.bytes < 4.1 * MIB
    del loss


def test_looking_does_not_recompute_a_checkpoint(grown: Grown) -> None:
    calls: list[int] = []

    def block(value: torch.Tensor) -> torch.Tensor:
        calls.append(1)
        return value.exp().exp()

    leaf = mib().requires_grad_()
    loss = torch.utils.checkpoint.checkpoint(block, leaf, use_reentrant=False).sum()
    assert grown.bytes >= MIB
    assert len(calls) == 1
    del loss


def test_a_graph_in_a_backward_pass_of_another_thread_is_left_alone(grown: Grown) -> None:
    inside, go_on = threading.Event(), threading.Event()
    kept = mib().requires_grad_().sigmoid().sigmoid().sum()

    def pause(_: torch.Tensor) -> None:
        inside.set()
        go_on.wait(30)

    leaf = torch.ones(2, requires_grad=True)
    doubled = leaf * 2
    doubled.register_hook(pause)  # type: ignore[no-untyped-call]  # torch has no annotation here
    thread = threading.Thread(target=doubled.sum().backward)
    thread.start()
    try:
        assert inside.wait(30)
        assert grown.bytes < 1.1 * MIB  # the leaf alone, which Python has
    finally:
        go_on.set()
        thread.join()
    assert grown.bytes >= 2 * MIB
    del kept


def test_tensors_without_memory_do_not_count(grown: Grown) -> None:
    with FakeTensorMode():
        fake = torch.empty(1 << 30)
    meta = torch.empty(1 << 30, device="meta")
    assert grown.bytes == 0
    del fake, meta


def test_a_storage_without_a_tensor_counts(grown: Grown) -> None:
    storage = mib().untyped_storage()
    assert grown.bytes == MIB
    del storage


def test_nothing_is_held_afterwards_not_even_until_the_next_collection() -> None:
    gc.collect()
    tensor = mib()
    graph = tensor.requires_grad_().sigmoid().sum()
    gc.disable()
    try:
        found = find_storages()
        assert found is not None
        del tensor, graph
        assert count(found, alive=False).host_bytes >= 2 * MIB
    finally:
        gc.enable()
