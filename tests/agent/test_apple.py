"""The GPU of a Mac, as a kernel with a made-up ``torch.mps`` tells of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jupyterlab_gpumem.server.attribution import attribute
from tests.kernels import check_contract

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.kernels import Kernel

GIB = 2**30
MAC = """
import sys, types
mps = types.ModuleType('torch.mps')
mps.driver_allocated_memory = lambda: reserved
mps.current_allocated_memory = lambda: 1 * 2**30
mps.recommended_max_memory = lambda: 12 * 2**30
backend = types.ModuleType('torch.backends.mps')
backend.is_available = lambda: available
available, reserved = True, 3 * 2**30
sys.modules.update({'torch.mps': mps, 'torch.backends.mps': backend})
"""
NO_MAC = "del sys.modules['torch.mps'], sys.modules['torch.backends.mps']"


@pytest.fixture(autouse=True)
def _mac(kernel: Kernel) -> Iterator[None]:
    kernel.run(MAC)
    yield
    kernel.run(NO_MAC)


def reported(kernel: Kernel, cell: str) -> Any:
    [push] = kernel.run(cell).pushes
    return push["allocators"]


def test_a_kernel_tells_of_the_gpu_of_a_mac_and_it_becomes_a_device(kernel: Kernel) -> None:
    [apple] = reported(kernel, "1")
    assert (apple["name"], apple["uuid"]) == ("Apple GPU", "mps")
    shown = attribute([], {}, {"k1": [apple]}, believed=set(), interval_s=2)
    [device] = shown.devices
    check_contract(device, "Device")
    assert (device["key"], device["kind"]) == ("kernel:mps", "unified")
    assert device["memory"]["total_bytes"] == 12 * GIB
    [share] = shown.kernels["k1"]
    check_contract(share, "KernelDevice")
    assert (share["used_bytes"], share["used_source"]) == (3 * GIB, "kernel")
    assert (share["allocated_bytes"], share["context_bytes"]) == (GIB, None)


@pytest.mark.parametrize("cell", ["reserved = 0", "available = False", NO_MAC + "; sys"])
def test_a_kernel_that_does_not_use_it_tells_nothing(kernel: Kernel, cell: str) -> None:
    assert reported(kernel, cell) is None
    kernel.run(MAC)


def test_an_older_pytorch_does_not_know_how_much_there_is(kernel: Kernel) -> None:
    [apple] = reported(kernel, "del mps.recommended_max_memory")
    assert apple["total_bytes"] is None
