# mypy: disable-error-code="no-untyped-call"
# PyTorch's own functions have no types.
from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .child import Child


def test_every_way_of_making_a_tensor_puts_it_on_the_gpu(gpu: Child) -> None:
    def body() -> None:
        import numpy
        import torch

        one = torch.ones(3)
        made = [
            torch.zeros(3, device="cuda"),
            torch.tensor([1.0, 2.0], device="cuda"),
            torch.tensor(1.0, device="cuda", requires_grad=True),
            torch.as_tensor(numpy.ones(3), device="cuda:0"),
            torch.asarray([1, 2], device="cuda"),
            torch.randperm(4, device=torch.device("cuda")),
            one.to("cuda"),
            one.to(0),
            one.to(device="cuda", dtype=torch.float16, non_blocking=True),
            one.cuda(),
            one.type("torch.cuda.FloatTensor"),
            one.new_zeros(2, device="cuda"),
            one.new_tensor([2.0], device="cuda"),
            torch.zeros_like(one, device="cuda"),
            torch.nn.Linear(2, 2, device="cuda").weight,
            torch.nn.Linear(2, 2).cuda().bias,
        ]
        for tensor in made:
            assert tensor.device == torch.device("cuda:0"), tensor
            assert (tensor.is_cuda, tensor.is_cpu, tensor.get_device()) == (True, False, 0)
            assert tensor.is_leaf
            assert "device='cuda:0'" in repr(tensor)
            assert tensor.untyped_storage().device == torch.device("cuda:0")

    gpu.run(body)


def test_what_comes_of_a_gpu_tensor_is_on_that_gpu(gpu: Child) -> None:
    def body() -> None:
        import copy

        import torch

        there = torch.arange(4.0, device="cuda:1")
        for tensor in (
            there + 1,
            there[1:],
            there.view(2, 2).T,
            torch.cat([there, there]),
            torch.zeros_like(there),
            there.new_zeros(2),
            there.new_tensor([3.0]),
            there.clone(),
            there.sort()[1],
            there.to(torch.float64),
            there.detach(),
            copy.deepcopy(there),
            torch.ones(2).to(there),
        ):
            assert tensor.device == torch.device("cuda:1"), tensor
        assert (there + 1).tolist() == [1, 2, 3, 4]

    gpu.run(body)


def test_tensors_come_back_to_the_host(gpu: Child) -> None:
    def body() -> None:
        import torch

        there = torch.arange(4.0, device="cuda")
        for tensor in (
            there.cpu(),
            there.to("cpu"),
            there.to(torch.ones(1)),
            torch.zeros_like(there, device="cpu"),
            there.new_zeros(2, device="cpu"),
            torch.tensor([1.0]),
            torch.as_tensor(there, device="cpu"),
        ):
            assert tensor.device == torch.device("cpu"), tensor
            assert tensor.is_cpu
        assert there.cpu().numpy().tolist() == [0, 1, 2, 3]
        host = torch.ones(2)
        assert host.cpu() is host
        assert there.cuda() is there
        host.copy_(there[:2])
        assert host.device.type == "cpu"

    gpu.run(body)


def test_values_are_read_but_not_as_an_array(gpu: Child) -> None:
    def body() -> None:
        import numpy
        import pytest
        import torch

        there = torch.ones(2, device="cuda")
        assert (there.sum().item(), float(there[0]), there.tolist()) == (2.0, 1.0, [1.0, 1.0])
        for refused in (there.numpy, lambda: numpy.asarray(there)):
            with pytest.raises(TypeError, match="can't convert cuda:0 device type tensor to numpy"):
                refused()
        assert there.numpy(force=True).tolist() == [1.0, 1.0]

    gpu.run(body)


def test_a_gradient_goes_home_with_its_leaf(gpu: Child) -> None:
    def body() -> None:
        import torch

        leaf = torch.ones(3, requires_grad=True)
        (leaf.cuda() * 2).sum().cpu().backward()
        assert leaf.grad is not None
        assert leaf.grad.tolist() == [2, 2, 2]
        assert leaf.grad.device.type == "cpu"
        there = torch.ones(3, device="cuda", requires_grad=True)
        (there.to("cuda:1") * 3).sum().backward()
        assert there.grad is not None
        assert there.grad.device == torch.device("cuda:0")

    gpu.run(body)


def test_a_default_device_is_honoured(gpu: Child) -> None:
    def body() -> None:
        import torch

        with torch.device("cuda:1"):
            made = [torch.tensor([1.0]), torch.zeros(2), torch.nn.Linear(2, 2).weight]
            assert [str(tensor.device) for tensor in made] == ["cuda:1"] * 3
            assert torch.tensor([1.0], device="cpu").is_cpu
        assert torch.zeros(2).is_cpu

    gpu.run(body)


def test_mixing_devices_is_refused(gpu: Child) -> None:
    def body() -> None:
        import pytest
        import torch

        layer = torch.nn.Linear(3, 2).cuda()
        there, here = torch.ones(1, 3, device="cuda"), torch.ones(1, 3)
        mixed = (
            lambda: layer(here),
            lambda: there @ here.T,
            lambda: here + there,
            lambda: there.cuda(1) > there,
            lambda: torch.nn.functional.mse_loss(there, here),
            lambda: there.cuda(0) @ there.cuda(1).T,
        )
        for operation in mixed:
            with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
                operation()
        # A number may come from anywhere.
        assert (there * torch.tensor(2.0)).is_cuda
        assert (2 - there / 2).tolist() == [[1.5, 1.5, 1.5]]
        with pytest.raises(TypeError, match="unsupported operand"):
            _ = there - {}  # type: ignore[operator]  # the point of it

    gpu.run(body)


def test_a_device_that_is_not_there_is_refused(gpu: Child) -> None:
    def body() -> None:
        import pytest
        import torch

        for operation in (lambda: torch.ones(1).cuda(2), lambda: torch.ones(1, device="cuda:7")):
            with pytest.raises(RuntimeError, match="invalid device ordinal"):
                operation()

    gpu.run(body)


def test_saved_tensors_come_back_where_they_were_or_are_sent(gpu: Child) -> None:
    def body() -> None:
        import io

        import torch

        def devices(**options: Any) -> list[str]:
            file.seek(0)
            return [str(t.device) for t in torch.load(file, **options).values()]

        file = io.BytesIO()
        torch.save({"there": torch.ones(2, device="cuda:1"), "here": torch.ones(2)}, file)
        assert devices() == ["cuda:1", "cpu"]
        assert devices(map_location="cpu") == ["cpu", "cpu"]
        assert devices(map_location="cuda") == ["cuda:0", "cuda:0"]
        assert devices(map_location={"cuda:1": "cuda:0"}) == ["cuda:0", "cpu"]

    gpu.run(body)


def test_new_threads_and_pools_know_the_gpu(gpu: Child) -> None:
    def body() -> None:
        import threading
        from concurrent.futures import ThreadPoolExecutor

        import torch

        found = []

        class Own(threading.Thread):
            def run(self) -> None:
                found.append(torch.ones(2, device="cuda").add(1).device.type)

        own = Own()
        own.start()
        own.join()
        with ThreadPoolExecutor(2) as pool:
            found += pool.map(lambda _: torch.zeros(1).cuda().device.type, range(4))
        assert found == ["cuda"] * 5
        assert "run" not in vars(own)

    gpu.run(body)
