"""Which exceptions mean that memory ran out."""

from __future__ import annotations

import sys
from typing import Any, Optional

TEXTS = (
    "CUDA out of memory",
    "CUDA error: out of memory",
    "HIP out of memory",
    "XPU out of memory",
    "MPS backend out of memory",
    "cudaErrorMemoryAllocation",
    "CUDA_ERROR_OUT_OF_MEMORY",
    "CUBLAS_STATUS_ALLOC_FAILED",
    "RESOURCE_EXHAUSTED",
)
TYPES = (
    ("torch", "OutOfMemoryError"),
    ("torch.cuda", "OutOfMemoryError"),
    ("cupy.cuda.memory", "OutOfMemoryError"),
    ("tensorflow.python.framework.errors_impl", "ResourceExhaustedError"),
)
LONGEST_CHAIN = 8


def out_of_memory(error: Optional[BaseException]) -> bool:
    """Tell whether ``error``, or what it came from, says that a device had no memory left.

    Runs no code of the exception: a class of the user must not decide what a cell costs.
    """
    for _ in range(LONGEST_CHAIN):
        if error is None:
            return False
        if _says_so(error):
            return True
        error = _slot(error, "__cause__") or _slot(error, "__context__")
    return False


def _says_so(error: BaseException) -> bool:
    for module, name in TYPES:
        known = getattr(sys.modules.get(module), name, None)
        if isinstance(known, type) and issubclass(type(error), known):
            return True
    texts = [text for text in _slot(error, "args") if type(text) is str]
    return any(phrase in text for text in texts for phrase in TEXTS)


def _slot(error: BaseException, name: str) -> Any:
    return vars(BaseException)[name].__get__(error)
