from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.provider import ProviderUnavailable
from jupyterlab_gpumem.devices.simulated import SimulatedProvider
from jupyterlab_gpumem.simulator.ledger import DeviceUse, Ledger
from tests.simulator.child import Child

if TYPE_CHECKING:
    from pathlib import Path

MIB, GIB = 1 << 20, 1 << 30
RESERVE, CONTEXT = 400 * MIB, 420 * MIB


def test_without_simulated_gpus_the_provider_is_off(tmp_path: Path) -> None:
    provider = SimulatedProvider(folder=tmp_path)
    provider.open()
    with pytest.raises(ProviderUnavailable) as answer:
        provider.devices()
    assert answer.value.state == "off"


def test_gpus_can_be_there_before_any_kernel(tmp_path: Path) -> None:
    provider = SimulatedProvider(gpus=2, total_bytes=16 * GIB, folder=tmp_path / "none")
    provider.open()
    first, second = provider.devices()
    assert (first.key, first.kind, first.index) == ("simulated:sim-0", "simulated", 0)
    assert second.name == "Simulated GPU 16 GiB"
    sample = provider.sample(second)
    assert (sample.total_bytes, sample.used_bytes) == (16 * GIB, 0)
    assert (sample.reserved_bytes, sample.free_bytes) == (RESERVE, 16 * GIB - RESERVE)
    assert sample.utilization_pct is None
    assert list(provider.processes(second)) == []


def test_a_gpu_that_a_kernel_names_is_not_shown_twice(tmp_path: Path) -> None:
    Ledger(tmp_path).write(
        [DeviceUse(i, f"sim-{i}", "Simulated GPU 24 GiB", 24 * GIB, i * GIB) for i in range(2)]
    )
    provider = SimulatedProvider(gpus=1, folder=tmp_path)
    provider.open()
    assert [device.key for device in provider.devices()] == ["simulated:sim-0", "simulated:sim-1"]
    idle, used = provider.devices()
    assert list(provider.processes(idle)) == []
    assert [entry.used_bytes for entry in provider.processes(used)] == [GIB]


def test_what_a_process_really_holds_is_shown_until_it_ends(tmp_path: Path) -> None:
    def take() -> None:
        import builtins

        import torch

        vars(builtins)["kept"] = torch.empty(3 * 2**30, dtype=torch.uint8, device="cuda:1")

    def give_back() -> None:
        import builtins

        import torch

        del vars(builtins)["kept"]
        torch.cuda.empty_cache()

    provider = SimulatedProvider(folder=tmp_path)
    provider.open()
    child = Child(tmp_path)
    child.run(take)
    idle, used = provider.devices()
    assert list(provider.processes(idle)) == []
    (entry,) = provider.processes(used)
    assert (entry.pid, entry.used_bytes, entry.kind) == (child.pid, 3 * GIB + CONTEXT, "compute")
    sample = provider.sample(used)
    assert sample.used_bytes == 3 * GIB + CONTEXT
    assert sample.free_bytes == 21 * GIB - CONTEXT - RESERVE

    child.run(give_back)
    assert provider.sample(used).used_bytes == CONTEXT
    child.kill()
    assert provider.sample(used).used_bytes == 0
    with pytest.raises(ProviderUnavailable):
        provider.devices()
    provider.close()
