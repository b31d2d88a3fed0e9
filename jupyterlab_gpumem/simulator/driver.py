"""What ``torch._C`` offers for CUDA, over the simulated GPUs.

Replacing the compiled layer leaves ``torch.cuda`` itself the real one, with its own rules of what
starts CUDA.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from .settings import uuid_of
from .streams import device_index

if TYPE_CHECKING:
    from .tags import Tags


@dataclass(frozen=True)
class Properties:
    """What ``torch.cuda.get_device_properties`` returns."""

    name: str
    total_memory: int
    uuid: str
    major: int = 9
    minor: int = 0
    multi_processor_count: int = 1
    is_integrated: bool = False
    is_multi_gpu_board: bool = False
    L2_cache_size: int = 0
    warp_size: int = 32
    gcnArchName: str = ""  # noqa: N815  # torch's own name


class Driver:
    """The functions called ``torch._C._cuda_<name>``; each is installed under its own name."""

    def __init__(self, tags: Tags) -> None:
        self._tags = tags
        self._board = tags.board

    def install(self) -> None:
        """Put them into ``torch._C``."""
        for name in dir(self):
            if not name.startswith("_") and name not in ("install", "properties", "memory_info"):
                setattr(torch._C, f"_cuda_{name}", getattr(self, name))

    def init(self) -> None:
        """Start; contexts come with the first use of each device."""

    def isInBadFork(self) -> bool:  # noqa: N802  # torch's own names, here and below
        """Whether this is a forked child, where CUDA does not work."""
        return self._board.is_forked

    def getDevice(self) -> int:  # noqa: N802
        """Return the current device."""
        return self._board.current

    def setDevice(self, index: int) -> None:  # noqa: N802
        """Change the current device."""
        self._board.current = index

    def exchangeDevice(self, index: int) -> int:  # noqa: N802
        """Change the current device and return the one before; negative changes nothing."""
        if index < 0:
            return -1
        before, self._board.current = self._board.current, index
        return before

    maybeExchangeDevice = exchangeDevice  # noqa: N815

    def hasPrimaryContext(self, index: int) -> bool:  # noqa: N802
        """Whether the device was used by this process."""
        return self._board.devices[self._board.check(index)].has_context

    def synchronize(self) -> None:
        """Wait for nothing; like the real one this makes a context."""
        self._board.use(self._board.current)

    def ipc_collect(self) -> None:
        """Collect nothing; memory of simulated GPUs is not shared."""

    def clearCublasWorkspaces(self) -> None:  # noqa: N802
        """Do nothing; there is no cuBLAS."""

    def isCurrentStreamCapturing(self) -> bool:  # noqa: N802
        """Return False; there are no CUDA graphs."""
        return False

    def getAllocatorBackend(self) -> str:  # noqa: N802
        """Return torch's default."""
        return "native"

    def memoryStats(self, index: int) -> dict[str, Any]:  # noqa: N802
        """Return the allocator's counters."""
        self._tags.forget_dead()
        return self._board.devices[self._board.check(index)].allocator.counters.nested()

    def resetPeakMemoryStats(self, index: int) -> None:  # noqa: N802
        """Let the peaks start from now."""
        self._tags.forget_dead()
        self._board.devices[self._board.check(index)].allocator.counters.reset_peaks()

    def resetAccumulatedMemoryStats(self, index: int) -> None:  # noqa: N802
        """Let the sums start from now."""
        self._board.devices[self._board.check(index)].allocator.counters.reset_sums()

    def emptyCache(self) -> None:  # noqa: N802
        """Give free segments back."""
        self._tags.empty_cache()

    def memorySnapshot(self, *_: Any) -> dict[str, Any]:  # noqa: N802
        """List all segments."""
        self._tags.forget_dead()
        segments = [
            {"device": device.index, **segment}
            for device in self._board.devices
            for segment in device.allocator.snapshot()
        ]
        return {"segments": segments, "device_traces": [[] for _ in self._board.devices]}

    def properties(self, device: Any = None) -> Properties:
        """Describe a device."""
        torch.cuda._initialized = True
        index = self._board.check(device_index(device))
        hardware = self._board.hardware
        return Properties(hardware.name, hardware.total_bytes, uuid_of(index))

    def memory_info(self, device: Any = None) -> tuple[int, int]:
        """Return free and total bytes; like the real one this makes a context."""
        torch.cuda._initialized = True
        index = device_index(device)
        self._tags.forget_dead()
        self._board.use(index)
        return self._board.free_bytes(index), self._board.hardware.total_bytes
