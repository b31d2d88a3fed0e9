"""How PyTorch's CUDA allocator is set up."""

from __future__ import annotations

import os
import sys
from typing import Any, Optional

from .allocators import started_cuda
from .text import plain

VARIABLES = ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF")
EXPANDABLE = "expandable_segments:"


def backend() -> Optional[str]:
    """Name the allocator; None while CUDA is not started."""
    cuda = started_cuda()
    if cuda is None:
        return None
    try:
        return plain(str(cuda.get_allocator_backend()), 40)
    except Exception:  # noqa: BLE001  a PyTorch that does not tell
        return None


def expandable_segments() -> Optional[bool]:
    """Tell whether segments can grow; None while CUDA is not started."""
    if started_cuda() is None:
        return None
    settings = _settings().replace(" ", "").lower()
    return (
        settings.rpartition(EXPANDABLE)[2].startswith("true") if EXPANDABLE in settings else False
    )


def _settings() -> str:
    # Newer versions know what they were told at run time as well.
    told: Any = getattr(sys.modules.get("torch._C"), "_accelerator_getAllocatorSettings", None)
    try:
        text = told() if told is not None else ""
    except Exception:  # noqa: BLE001  then what it was started with
        text = ""
    return text or next((os.environ[name] for name in VARIABLES if os.environ.get(name)), "")
