"""Giving unused memory back to the driver (level ``cache``)."""

from __future__ import annotations

import gc
import sys
from typing import Any, Callable

from .allocators import context_devices, started_cuda
from .steps import Steps

_MAX_COLLECTIONS = 3


def collect_garbage() -> None:
    """Collect until nothing more goes: finalizers can free what the next round finds."""
    for _ in range(_MAX_COLLECTIONS):
        if gc.collect() == 0:
            return


def flush(steps: Steps) -> None:
    """Give back all memory that no object uses. Nothing of the user is lost."""
    steps.run("collect_garbage", collect_garbage)
    torch: Any = sys.modules.get("torch")
    clear_autocast = getattr(torch, "clear_autocast_cache", None)
    if clear_autocast is not None:
        steps.run("clear_autocast_cache", clear_autocast)
    cuda = started_cuda()
    if cuda is not None:
        _flush_cuda(cuda, steps)
    for step, module in (("empty_mps_cache", "torch.mps"), ("empty_xpu_cache", "torch.xpu")):
        backend: Any = sys.modules.get(module)
        if backend is not None and _is_used(backend):
            steps.run(step, backend.empty_cache)
    if "cupy" in sys.modules:
        steps.run("free_cupy_pools", _free_cupy_pools)


def _flush_cuda(cuda: Any, steps: Steps) -> None:
    def synchronize() -> None:
        # Only where there is a context: elsewhere this would create one.
        for index in context_devices(cuda):
            cuda.synchronize(index)

    steps.run("synchronize", synchronize)
    clear_workspaces: Any = getattr(
        sys.modules.get("torch._C"), "_cuda_clearCublasWorkspaces", None
    )
    if clear_workspaces is not None:
        steps.run("clear_cublas_workspaces", clear_workspaces)
    steps.run("empty_cuda_cache", cuda.empty_cache)
    # What other processes have given up only becomes cache here.
    steps.run("collect_cuda_ipc", cuda.ipc_collect)
    steps.run("empty_cuda_cache_again", cuda.empty_cache)


def reset_peaks() -> None:
    """Let the peak figures start anew."""
    cuda = started_cuda()
    for index in context_devices(cuda):
        cuda.reset_peak_memory_stats(index)


def _is_used(backend: Any) -> bool:
    """Tell whether ``torch.mps`` or ``torch.xpu`` has memory, without starting it."""
    is_initialized: Any = getattr(backend, "is_initialized", None)  # xpu
    if is_initialized is not None:
        return bool(is_initialized())
    allocated: Callable[[], int] = getattr(backend, "driver_allocated_memory", int)  # mps
    try:
        return allocated() > 0
    except Exception:  # noqa: BLE001  built without it, so nothing to give back
        return False


def _free_cupy_pools() -> None:
    cupy: Any = sys.modules["cupy"]
    cupy.get_default_memory_pool().free_all_blocks()
    cupy.get_default_pinned_memory_pool().free_all_blocks()
