"""TensorFlow's allocator on each logical GPU."""

from __future__ import annotations

import sys
from typing import Any, List

from ...wire import LibraryMemory
from .entry import entry


def read() -> List[LibraryMemory]:
    """Return the figures once TensorFlow's context has been made."""
    # Not ``tf.config``: its lists make the context, which takes nearly the whole GPU.
    context: Any = getattr(sys.modules.get("tensorflow.python.eager.context"), "_context", None)
    if not getattr(context, "_initialized", False):
        return []
    found: List[LibraryMemory] = []
    for device in context.list_logical_devices("GPU"):
        number = device.name.rpartition(":")[2]
        figures = context.get_memory_info(f"GPU:{number}")
        found.append(
            entry("tensorflow", f"gpu:{number}", used=figures["current"], peak=figures["peak"])
        )
    return found
