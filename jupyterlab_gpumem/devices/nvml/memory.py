"""A device's memory: version 2 of the call, version 1 on old drivers, the system's if shared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import psutil

from jupyterlab_gpumem.devices.provider import DeviceSample

from .faults import ARGUMENT_VERSION_MISMATCH, FUNCTION_NOT_FOUND, NOT_SUPPORTED, NvmlFault

if TYPE_CHECKING:
    from .binding import Binding

LARGEST_BYTES = 2**56
"""Beyond this a size is a negative number in disguise."""


class MemoryReader:
    """Read memory, remembering which version of the call the driver has."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self._has_v2 = True

    def read(self, handle: Any) -> DeviceSample:
        """Return what the driver says; raises :class:`NvmlFault`.

        Values that cannot be are ``None`` and make the state ``partial``: layers that share a GPU
        among containers wrap this call, and not all of them can subtract.
        """
        if self._has_v2:
            try:
                memory = self._binding.call(
                    "nvmlDeviceGetMemoryInfo", handle, self._binding.memory_v2
                )
            except NvmlFault as fault:
                if fault.code not in (FUNCTION_NOT_FOUND, ARGUMENT_VERSION_MISMATCH):
                    raise
                self._has_v2 = False
            else:
                return _plausible(memory.total, memory.used, memory.reserved, memory.free)
        memory = self._binding.call("nvmlDeviceGetMemoryInfo", handle)
        # Version 1 counts the driver's reserve as used: hundreds of MiB on an idle GPU.
        sample = _plausible(memory.total, memory.used, None, memory.free)
        return replace(sample, used_includes_reserved=True)

    def is_shared(self, handle: Any) -> bool:
        """Tell whether the GPU has no memory of its own.

        Only "not supported" or a total of 0 says so; any other fault says nothing about the kind.
        """
        try:
            return self.read(handle).total_bytes == 0
        except NvmlFault as fault:
            return fault.code == NOT_SUPPORTED


def system_memory() -> DeviceSample:
    """Return the system's memory, which is also that of a GPU without its own."""
    memory = psutil.virtual_memory()
    return DeviceSample(
        total_bytes=memory.total,
        used_bytes=memory.total - memory.available,
        free_bytes=memory.available,
    )


def _plausible(total: int, used: int, reserved: int | None, free: int) -> DeviceSample:
    if total > LARGEST_BYTES:
        return DeviceSample(state="partial")
    fits = used + (reserved or 0) <= total
    return DeviceSample(
        total_bytes=total,
        used_bytes=used if used <= total else None,
        reserved_bytes=reserved if reserved is not None and reserved <= total else None,
        free_bytes=free if fits and free <= total else None,
        state="ok" if fits else "partial",
    )
