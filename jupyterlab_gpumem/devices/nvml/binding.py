"""The one file that imports NVIDIA's binding: driver calls in, plain values or faults out."""

from __future__ import annotations

import ctypes
import importlib
import struct
import warnings
from typing import Any, NamedTuple

from jupyterlab_gpumem.devices.provider import ProviderUnavailable

from .faults import (
    FUNCTION_NOT_FOUND,
    INSUFFICIENT_SIZE,
    UNREADABLE,
    NvmlFault,
)

NEEDED = (
    "NVMLError",
    "nvmlInit",
    "nvmlShutdown",
    "nvmlMemory_v2",
    "nvmlDeviceGetMigMode",
    "c_nvmlProcessInfo_v2_t",
)
"""What older distributions that install the same module name do not have."""
NOT_AVAILABLE = 2**64 - 1
FIRST_LIST_SIZE = 64
ENTRY = struct.Struct("@IQII")
"""Layout of a list's entries in versions 2 and 3 of the calls.

The binding's structure has the same, but wraps the reading of each field: three times the cost.
"""


class RawProcess(NamedTuple):
    """An entry of a process list as the driver wrote it."""

    pid: int
    used_bytes: int | None
    gpu_instance: int
    compute_instance: int


class Binding:
    """Call the driver through ``nvidia-ml-py``; every failure is an :class:`NvmlFault`."""

    def __init__(self, pynvml: Any) -> None:
        self._pynvml = pynvml
        self._caught = (
            pynvml.NVMLError,
            # Not an NVMLError, and absent from older versions.
            getattr(pynvml, "NVMLLibraryMismatchError", pynvml.NVMLError),
            # Names that are not UTF-8, and answers its wrappers trip over.
            ValueError,
            TypeError,
            AttributeError,
        )
        self._entries = _room_for(FIRST_LIST_SIZE)
        self.memory_v2: int = pynvml.nvmlMemory_v2

    @classmethod
    def load(cls) -> Binding:
        """Import the binding; raises :class:`ProviderUnavailable` if it is a stranger's or old."""
        # An outdated package of the same name warns at each import. Filtering that one text for
        # good is safe in a thread; restoring the filters afterwards would not be.
        warnings.filterwarnings("ignore", "The pynvml package is deprecated", FutureWarning)
        try:
            pynvml = importlib.import_module("pynvml")
        except ImportError as error:
            raise ProviderUnavailable("old_binding", str(error), "install_binding") from error
        except Exception as error:  # a stranger's module of that name may raise anything
            text = f"{type(error).__name__}: {error}"
            raise ProviderUnavailable("old_binding", text, "old_binding") from error
        if missing := [name for name in NEEDED if not hasattr(pynvml, name)]:
            text = f"{getattr(pynvml, '__file__', 'pynvml')} lacks {missing[0]}"
            raise ProviderUnavailable("old_binding", text, "old_binding")
        return cls(pynvml)

    def call(self, function: str, *arguments: Any) -> Any:
        """Call one of the binding's functions; arguments by position, keyword strings break it."""
        try:
            return getattr(self._pynvml, function)(*arguments)
        except self._caught as error:
            raise self._fault(function, error) from error

    def text(self, function: str, *arguments: Any) -> str:
        """Call a function that returns a name; some versions of the binding return bytes."""
        value = self.call(function, *arguments)
        return value.decode(errors="replace") if isinstance(value, bytes) else str(value)

    def process_list(self, symbol: str, handle: Any) -> list[RawProcess]:
        """Read a process list with one driver call.

        The binding's own readers make two, the first for the size alone, and each holds the
        driver's only lock for milliseconds.
        """
        function = getattr(self._pynvml.nvmlLib, symbol, None)
        if function is None:
            raise NvmlFault(FUNCTION_NOT_FOUND, f"{symbol}: not in this driver")
        for _ in range(3):
            count = ctypes.c_uint(len(self._entries) // ENTRY.size)
            code = function(handle, ctypes.byref(count), self._entries)
            if code != INSUFFICIENT_SIZE:
                break
            # Twice what is wanted: the list may grow again before the next call.
            self._entries = _room_for(2 * count.value + 1)
        if code:
            raise self._fault(symbol, self._pynvml.NVMLError(code))
        written = memoryview(self._entries)[: count.value * ENTRY.size]
        return [
            RawProcess(pid, None if used == NOT_AVAILABLE else used, gi, ci)
            for pid, used, gi, ci in ENTRY.iter_unpack(written)
        ]

    def _fault(self, function: str, error: Exception) -> NvmlFault:
        code = getattr(error, "value", None)
        if not isinstance(code, int):
            name = type(error).__name__
            code = FUNCTION_NOT_FOUND if name == "NVMLLibraryMismatchError" else UNREADABLE
        try:
            text = str(error)
        except self._caught:
            # Its text is the driver's own, and that may be unreadable too.
            text = f"error {code}"
        return NvmlFault(code, f"{function}: {text}")


def _room_for(entries: int) -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(entries * ENTRY.size)
