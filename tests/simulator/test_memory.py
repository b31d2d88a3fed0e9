# mypy: disable-error-code="no-untyped-call"
# PyTorch's own functions have no types.
from __future__ import annotations

from typing import TYPE_CHECKING

from jupyterlab_gpumem.simulator.ledger import read_ledgers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from .child import Child


def test_nothing_is_started_before_a_gpu_is_used(fresh_gpu: Child) -> None:
    def body() -> None:
        import torch

        has_context = vars(torch._C)["_cuda_hasPrimaryContext"]
        assert torch.cuda.is_available()
        assert torch.cuda.device_count() == 2
        assert torch.ones(3).sum().item() == 3
        assert torch.cuda.memory_stats(0) == {}
        assert torch.cuda.memory_allocated(1) == 0
        torch.cuda.empty_cache()
        assert not torch.cuda.is_initialized()
        assert (has_context(0), has_context(1)) == (False, False)

        kept = torch.ones(3, device="cuda:1")
        assert torch.cuda.is_initialized()
        assert torch.cuda.memory_stats(0)["allocated_bytes.all.current"] == 0
        assert torch.cuda.memory_allocated(1) == 512
        torch.cuda.synchronize(1)
        assert (has_context(0), has_context(1)) == (False, True)
        free, total = torch.cuda.mem_get_info(0)
        assert has_context(0)
        assert total - free == (400 + 420) * 2**20
        del kept

    fresh_gpu.run(body)


def test_figures_follow_every_tensor_at_once(fresh_gpu: Child) -> None:
    def body() -> None:
        import torch

        mib = 2**20
        block = torch.empty(64 * mib, dtype=torch.uint8, device="cuda")
        view = block[mib:]
        assert torch.cuda.memory_allocated() == 64 * mib
        del block
        assert torch.cuda.memory_allocated() == 64 * mib
        del view
        assert torch.cuda.memory_allocated() == 0
        assert torch.cuda.memory_reserved() == 64 * mib
        assert torch.cuda.max_memory_allocated() == 64 * mib
        torch.cuda.reset_peak_memory_stats()
        assert torch.cuda.max_memory_allocated() == 0
        again = torch.empty(64 * mib, dtype=torch.uint8, device="cuda")
        assert torch.cuda.memory_reserved() == 64 * mib
        again.resize_(128 * mib)
        assert torch.cuda.memory_allocated() == 128 * mib
        del again
        torch.cuda.empty_cache()
        assert torch.cuda.memory_reserved() == 0
        assert "CUDA OOMs: 0" in torch.cuda.memory_summary(0)
        assert torch.cuda.memory_snapshot() == []

    fresh_gpu.run(body)


def test_what_only_a_graph_holds_is_counted(fresh_gpu: Child) -> None:
    def body() -> None:
        import torch

        leaf = torch.ones(2**18, device="cuda", requires_grad=True)
        loss = leaf.exp().sigmoid().sum()
        assert torch.cuda.memory_allocated() == 3 * 2**20 + 512
        loss.backward()
        assert torch.cuda.memory_allocated() == 2 * 2**20 + 512
        del loss
        leaf.grad = None
        assert torch.cuda.memory_allocated() == 2**20

    fresh_gpu.run(body)


def test_a_full_gpu_refuses_as_cuda_does(fresh_gpu: Child) -> None:
    def body() -> None:
        import gc

        import pytest
        import torch

        def fill(size: int) -> None:
            kept = []
            while True:
                kept.append(torch.empty(size, dtype=torch.uint8, device="cuda"))

        gib = 2**30
        kept = torch.empty(20 * gib, dtype=torch.uint8, device="cuda")
        with pytest.raises(torch.OutOfMemoryError) as refusal:
            fill(gib)
        text = str(refusal.value)
        assert text.startswith(
            "CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of "
            "24.00 GiB of which 204.00 MiB is free. "
        )
        assert "simulated" in text
        # The error holds what the frames of the user hold, and nothing more.
        assert torch.cuda.memory_allocated() == 23 * gib
        storages = [o for o in gc.get_objects() if type(o) is torch.UntypedStorage]
        assert sum(storage.nbytes() for storage in storages) == 23 * gib
        del storages, refusal
        assert torch.cuda.memory_stats()["num_ooms"] == 1
        gc.collect()
        assert torch.cuda.memory_allocated() == 20 * gib
        assert torch.empty(3 * gib, dtype=torch.uint8, device="cuda").is_cuda
        del kept

    fresh_gpu.run(body)


def test_memory_runs_out_within_backward_too(fresh_gpu: Child) -> None:
    def body() -> None:
        import pytest
        import torch

        leaf = torch.ones(2**18, device="cuda", requires_grad=True)
        loss = leaf.exp().sum()
        free = torch.cuda.mem_get_info()[0] + torch.cuda.memory_reserved()
        taken = torch.empty(free // 2**21 * 2**21 - 2**22, dtype=torch.uint8, device="cuda")
        filler = []

        def fill() -> None:
            while True:
                filler.append(torch.empty(2**17, device="cuda"))

        with pytest.raises(torch.OutOfMemoryError):
            fill()
        with pytest.raises(torch.OutOfMemoryError):
            loss.backward()
        del taken
        filler.clear()

    fresh_gpu.run(body)


def test_one_byte_can_stand_for_many(new_gpu: Callable[..., Child]) -> None:
    def body() -> None:
        import torch

        kept = torch.ones(2**18, device="cuda")
        assert torch.cuda.memory_allocated() == 2**30
        del kept

    new_gpu(scale=1024).run(body)


def test_processes_share_the_gpu(new_gpu: Callable[..., Child], ledgers: Path) -> None:
    def take() -> None:
        import builtins

        import torch

        builtins.kept = torch.empty(16 * 2**30, dtype=torch.uint8, device="cuda")  # type: ignore[attr-defined]

    def run_out() -> str:
        import torch

        try:
            torch.empty(8 * 2**30, dtype=torch.uint8, device="cuda")
        except torch.OutOfMemoryError as error:
            return str(error)
        torch.cuda.empty_cache()
        return ""

    first, second = new_gpu(), new_gpu()
    assert second.run(run_out) == ""
    first.run(take)
    assert "of which" in second.run(run_out)
    first.kill()
    assert second.run(run_out) == ""
    second.close()
    assert read_ledgers(ledgers) == []


def test_a_forked_child_is_told_to_spawn(gpu: Child) -> None:
    def body() -> None:
        import os

        import torch

        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            try:
                torch.ones(2, device="cuda")
            except RuntimeError as error:
                os.write(writer, str(error).encode())
            os._exit(0)
        os.waitpid(child, 0)
        assert b"forked subprocess" in os.read(reader, 1000)

    gpu.run(body)


def test_streams_and_events_do_what_loops_ask_of_them(gpu: Child) -> None:
    def body() -> None:
        import torch

        stream = torch.cuda.Stream()
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        with torch.cuda.stream(stream):
            result = torch.ones(3, device="cuda") * 2
        torch.cuda.current_stream().wait_stream(stream)
        end.record(stream)
        torch.cuda.synchronize()
        assert start.elapsed_time(end) >= 0
        assert result.is_cuda
        with torch.cuda.device(1):
            assert torch.cuda.current_device() == 1
            assert torch.ones(1, device="cuda").get_device() == 1
        torch.cuda.set_device(1)
        assert torch.ones(1).cuda().get_device() == 1
        torch.cuda.set_device(0)
        properties = torch.cuda.get_device_properties(1)
        assert (properties.name, properties.uuid) == ("Simulated GPU 24 GiB", "sim-1")
        assert torch.cuda.get_device_name() == "Simulated GPU 24 GiB"
        torch.manual_seed(1)
        torch.cuda.manual_seed_all(1)
        torch.cuda.ipc_collect()
        assert torch.accelerator.memory_allocated(0) == torch.cuda.memory_allocated(0) == 512
        assert torch.accelerator.current_accelerator() == torch.device("cuda")

    gpu.run(body)


def test_the_plans_of_fourier_transforms_can_be_asked_for_and_cleared(fresh_gpu: Child) -> None:
    """A reset clears them; a CUDA build of torch would look for a real device."""

    def body() -> None:
        import torch

        kept = torch.ones(3, device="cuda:0")
        plans = torch.backends.cuda.cufft_plan_cache[0]
        plans.clear()
        assert plans.size == 0
        del kept

    fresh_gpu.run(body)
