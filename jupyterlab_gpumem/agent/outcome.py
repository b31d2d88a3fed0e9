"""What a cleanup's outcome says beyond its figures."""

from __future__ import annotations

from typing import List, Optional

from ..wire import Allocator, Dropped, Explanation, Step
from .explain import explanation
from .scan import Scan

_NOTABLE = 64 << 20
_BROKEN = ("device-side assert", "CUDA error", "AcceleratorError", "illegal memory access")


def explain_outcome(
    dropped: List[Dropped],
    steps: List[Step],
    found: Optional[Scan],
    after: Optional[List[Allocator]],
) -> List[Explanation]:
    """Explain what came free by the collector alone, and why the rest did not."""
    told: List[Explanation] = []
    if any(text in (step["error"] or "") for step in steps for text in _BROKEN):
        told.append(explanation("broken"))
    for entry in dropped:
        if entry["root"] == "garbage" and entry["bytes"]:
            told.append(explanation("garbage", entry["path"], size=entry["bytes"]))
    left = sum(device["reserved_bytes"] or 0 for device in after or [])
    if found is not None and found.is_gpu and left > _NOTABLE:
        largest = max(
            found.attribution.storages.items(), key=lambda item: item[1].nbytes, default=None
        )
        if largest is not None:
            root = found.attribution.first_root(largest[0])
            path = None if root is None else found.path_to(root, largest[0])
            told.append(explanation("in_use", path, size=left))
    return told
