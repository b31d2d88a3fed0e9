"""Caches of functions, of compilers and of other libraries."""

from __future__ import annotations

import functools
import gc
import sys
from typing import Any, Callable, Dict

from .allocators import context_devices, started_cuda

_Cached: Any = type(functools.lru_cache(maxsize=None)(len))


def clear_function_caches() -> None:
    """Empty every ``lru_cache`` around a function of the notebook, whoever holds it."""
    for cached in gc.get_objects():
        if type(cached) is _Cached and vars(cached).get("__module__") == "__main__":
            cached.cache_clear()


def clear_cufft_plans() -> None:
    """Drop the plans of the Fourier transforms, with their work space on the device."""
    cuda: Any = started_cuda()
    plans = sys.modules["torch.backends.cuda"].cufft_plan_cache
    for index in context_devices(cuda):
        plans[index].clear()


def library_caches() -> Dict[str, Callable[[], Any]]:
    """Return what clears the caches of the libraries that are loaded, by name of the step."""
    calls: Dict[str, Callable[[], Any]] = {}
    for step, module, function in (
        ("reset_dynamo", "torch._dynamo", "reset"),
        ("reset_cudagraph_trees", "torch._inductor.cudagraph_trees", "reset_cudagraph_trees"),
        ("clear_jax_caches", "jax", "clear_caches"),
    ):
        call = getattr(sys.modules.get(module), function, None)
        if call is not None:
            calls[step] = call
    if started_cuda() is not None and "torch.backends.cuda" in sys.modules:
        calls["clear_cufft_plans"] = clear_cufft_plans
    return calls
