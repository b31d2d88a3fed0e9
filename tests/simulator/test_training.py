# mypy: disable-error-code="no-untyped-call"
# PyTorch's own functions have no types.
"""Training on the simulated GPU gives what training on the CPU gives, and all of it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

    from .child import Child


def perceptron() -> Any:
    import torch

    nn = torch.nn
    return nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 1))


def convolution() -> Any:
    import torch

    nn = torch.nn
    return nn.Sequential(
        nn.Unflatten(1, (1, 2, 4)),
        nn.Conv2d(1, 4, 3, padding=1),
        nn.BatchNorm2d(4),
        nn.ReLU(inplace=True),
        nn.Dropout2d(0.1),
        nn.Flatten(),
        nn.Linear(32, 1),
    )


def recurrent() -> Any:
    import torch

    class Recurrent(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.lstm = torch.nn.LSTM(4, 8, num_layers=2, batch_first=True)
            self.head = torch.nn.Linear(8, 1)

        def forward(self, inputs: torch.Tensor) -> torch.Tensor:
            states, _ = self.lstm(inputs.reshape(-1, 2, 4))
            result: torch.Tensor = self.head(states[:, -1])
            return result

    return Recurrent()


def attention() -> Any:
    import torch

    nn = torch.nn
    layer = nn.TransformerEncoderLayer(4, 2, dim_feedforward=16, batch_first=True)
    encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
    return nn.Sequential(nn.Unflatten(1, (2, 4)), encoder, nn.Flatten(), nn.Linear(8, 1))


_TRAIN = """
def train(device, make, optimizer_name, steps=15):
    import torch
    torch.manual_seed(0)
    model = make().to(device)
    optimizer = getattr(torch.optim, optimizer_name)(model.parameters(), lr=0.01)
    losses = []
    inputs = torch.randn(64, 8).to(device)
    for _ in range(steps):
        loss = torch.nn.functional.mse_loss(model(inputs), inputs.sum(dim=1, keepdim=True))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    states = [v for s in optimizer.state.values() for k, v in s.items() if k != "step"]
    tensors = [*model.state_dict().values(), *(p.grad for p in model.parameters()), *states]
    tensors = [tensor for tensor in tensors if tensor is not None]
    assert {tensor.device.type for tensor in tensors} == {device}
    return losses

here, there = train("cpu", MAKE, OPTIMIZER), train("cuda", MAKE, OPTIMIZER)
assert there[-1] < there[0], there
assert all(abs(a - b) < 1e-3 for a, b in zip(here, there)), (here, there)
import torch
assert torch.cuda.memory_allocated() == 0
"""


@pytest.mark.parametrize(
    ("make", "optimizer"),
    [
        (perceptron, "SGD"),
        (perceptron, "Adam"),
        (convolution, "AdamW"),
        (recurrent, "Adam"),
        (attention, "AdamW"),
    ],
)
def test_training_learns_the_same_as_on_the_cpu(
    gpu: Child, make: Callable[[], Any], optimizer: str
) -> None:
    gpu.run(make, then=_TRAIN.replace("MAKE", make.__name__).replace("OPTIMIZER", repr(optimizer)))


def test_mixed_precision_with_a_scaler_learns(gpu: Child) -> None:
    def body() -> None:
        import torch

        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.ReLU(), torch.nn.Linear(32, 1))
        model.cuda()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        scaler = torch.amp.GradScaler("cuda")
        losses = []
        for _ in range(40):
            inputs = torch.randn(64, 8, device="cuda")
            with torch.autocast("cuda"):
                output = model(inputs)
                loss = (output.float() - inputs.sum(1, keepdim=True)).square().mean()
            assert (output.dtype, output.device.type) == (torch.float16, "cuda")
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            losses.append(loss.item())
        assert losses[-1] < losses[0] / 2, losses
        with torch.autocast("cuda", dtype=torch.bfloat16):
            assert model(inputs).dtype == torch.bfloat16

    gpu.run(body)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_loader_with_pinned_memory_feeds_the_gpu(gpu: Child, workers: int) -> None:
    def body() -> None:
        import torch
        from torch.utils.data import DataLoader, TensorDataset

        data = TensorDataset(torch.arange(20.0).reshape(10, 2))
        loader = DataLoader(data, batch_size=5, pin_memory=True, num_workers=WORKERS)  # type: ignore[name-defined]  # noqa: F821  # set below
        total = 0.0
        for (batch,) in loader:
            assert batch.is_cpu
            total += batch.to("cuda", non_blocking=True).sum().item()
        assert total == 190

    gpu.run(body, first=f"WORKERS = {workers}")


def test_checkpoints_recompute_on_the_gpu(gpu: Child) -> None:
    def body() -> None:
        import torch
        from torch.utils.checkpoint import checkpoint

        layer = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5)).cuda()
        inputs = torch.randn(3, 4, device="cuda", requires_grad=True)
        checkpoint(layer, inputs, use_reentrant=False).sum().backward()
        checkpoint(layer, inputs, use_reentrant=True).sum().backward()
        assert inputs.grad is not None
        assert inputs.grad.device.type == "cuda"

    gpu.run(body)


def test_a_copy_of_a_model_and_its_state_stay_on_the_gpu(gpu: Child) -> None:
    def body() -> None:
        import copy

        import torch

        model = torch.nn.Linear(4, 4).cuda()
        optimizer = torch.optim.Adam(model.parameters())
        model(torch.ones(1, 4, device="cuda")).sum().backward()
        optimizer.step()
        twin = copy.deepcopy(model)
        assert twin.weight.device.type == "cuda"
        assert twin.weight.data_ptr() != model.weight.data_ptr()
        again = torch.optim.Adam(twin.parameters())
        again.load_state_dict(optimizer.state_dict())
        assert {s["exp_avg"].device.type for s in again.state.values()} == {"cuda"}
        twin.load_state_dict({k: v.cpu() for k, v in model.state_dict().items()})
        assert twin.weight.is_cuda
        assert model.cpu().weight.is_cpu

    gpu.run(body)
