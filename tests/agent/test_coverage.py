"""How much of a graph a scan sees: all that autograd saves, and nothing that does not exist."""

from __future__ import annotations

import gc
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils.checkpoint import checkpoint

from tests.agent.notebook import Notebook

MIB = 1 << 20


@pytest.fixture
def notebook() -> Notebook:
    gc.collect()
    return Notebook()


class Net(torch.nn.Module):
    """A sigmoid chain, of which the collector sees the ends alone."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for _ in range(8):
            x = x.sigmoid().exp().tanh()
        return x.sum()


def _transformer() -> Any:
    layer = torch.nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
    return torch.nn.TransformerEncoder(layer, 2), torch.ones(16, 64, 64, requires_grad=True)


MODELS: dict[str, Any] = {
    "sigmoid chain": lambda: (Net(), torch.ones(1 << 18, requires_grad=True)),
    "MLP": lambda: (
        torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.GELU(), torch.nn.Linear(512, 256)),
        torch.ones(512, 256),
    ),
    "transformer": _transformer,
    "LSTM": lambda: (torch.nn.LSTM(64, 64, batch_first=True), torch.ones(64, 64, 64)),
    "convolution": lambda: (
        torch.nn.Sequential(
            torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(inplace=True)
        ),
        torch.ones(16, 3, 64, 64),
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_graph_shows_at_least_95_per_cent_of_what_it_keeps(notebook: Notebook, name: str) -> None:
    model, x = MODELS[name]()
    saved: dict[int, int] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        saved[tensor.untyped_storage()._cdata] = tensor.untyped_storage().nbytes()
        return tensor

    # In a run of its own, since hooks change what can be seen.
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        probe = model(x)
    result = model(x)
    notebook.names["loss"] = (result[0] if isinstance(result, tuple) else result).sum()
    del result, probe
    assert notebook.held()["loss"] >= 0.95 * sum(saved.values())


def test_gradients_and_checkpoints_are_seen_and_no_hook_runs(notebook: Notebook) -> None:
    calls: list[str] = []
    layer = torch.nn.Linear(512, 512, bias=False)

    def part(x: torch.Tensor) -> torch.Tensor:
        calls.append("computed")
        result: torch.Tensor = layer(x).sigmoid()
        return result

    x = torch.ones(512, 512, requires_grad=True)
    notebook.names["y"] = checkpoint(part, x, use_reentrant=False)
    assert calls == ["computed"]
    assert notebook.held()["y"] >= 2 * MIB
    assert calls == ["computed"]


def test_fake_tensors_count_for_nothing(notebook: Notebook) -> None:
    with FakeTensorMode():
        notebook.names["fake"] = [torch.empty(1 << 30), torch.empty(1 << 30, device="cuda")]
    assert notebook.held() == {}
