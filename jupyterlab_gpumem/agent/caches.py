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
    """Return what clears the caches of the libraries in use, by name of the step."""
    calls: Dict[str, Callable[[], Any]] = {}
    for step, module, function in (
        ("reset_dynamo", "torch._dynamo", "reset"),
        ("reset_cudagraph_trees", "torch._inductor.cudagraph_trees", "reset_cudagraph_trees"),
        ("clear_jax_caches", "jax", "clear_caches"),
    ):
        clear = getattr(sys.modules.get(module), function, None)
        if clear is not None and (step != "reset_dynamo" or _has_compiled()):
            calls[step] = clear
    backend: Any = sys.modules.get("torch.backends.cuda")
    if started_cuda() is not None and backend is not None and backend.is_built():
        calls["clear_cufft_plans"] = clear_cufft_plans
    return calls


def _has_compiled() -> bool:
    """Tell whether anything was compiled.

    Every optimizer loads ``torch._dynamo``, and its reset imports the whole compiler.
    """
    frames: Any = sys.modules.get("torch._dynamo.convert_frame")
    return bool(getattr(getattr(frames, "input_codes", None), "seen", ()))
