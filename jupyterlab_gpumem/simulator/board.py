"""The simulated GPUs as one process sees them: allocators, contexts, and the ledger others read."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from .allocator import Allocator
from .ledger import DeviceUse
from .settings import CONTEXT_BYTES, DRIVER_RESERVE_BYTES, uuid_of

if TYPE_CHECKING:
    from .ledger import Ledger
    from .settings import Hardware


@dataclass
class Device:
    """One simulated GPU; its context appears at first use and stays until the process ends."""

    index: int
    allocator: Allocator
    has_context: bool = False

    @property
    def used_bytes(self) -> int:
        """What the driver would count for this process."""
        return self.allocator.reserved_bytes + (CONTEXT_BYTES if self.has_context else 0)


class Board:
    """All simulated GPUs of this process. Calls may come from any thread, one at a time."""

    def __init__(self, hardware: Hardware, ledger: Ledger) -> None:
        self.hardware = hardware
        self._ledger = ledger
        self._thread = threading.local()
        self._written: tuple[int, ...] = ()
        self.devices = [
            Device(index, Allocator(partial(self.free_bytes, index)))
            for index in range(hardware.gpus)
        ]

    @property
    def current(self) -> int:
        """The calling thread's device."""
        index: int = getattr(self._thread, "index", 0)
        return index

    @current.setter
    def current(self, index: int) -> None:
        self._thread.index = self.check(index)

    @property
    def is_forked(self) -> bool:
        """Whether this is a child of the process that has the GPUs."""
        return not self._ledger.is_ours

    def check(self, index: int) -> int:
        """Return the index if there is such a device."""
        if not 0 <= index < len(self.devices):
            raise RuntimeError(
                f"CUDA error: invalid device ordinal {index}: "
                f"the simulated GPUs are 0 to {len(self.devices) - 1}"
            )
        return index

    def use(self, index: int) -> Device:
        """Return a device, with a context from now on."""
        if self.is_forked:
            raise RuntimeError(
                "Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, "
                "you must use the 'spawn' start method (simulated GPU)"
            )
        device = self.devices[self.check(index)]
        if not device.has_context:
            device.has_context = True
            self.publish()
        return device

    def free_bytes(self, index: int) -> int:
        """Return what the driver could still give, all processes considered."""
        others = sum(
            use.used_bytes
            for entry in self._ledger.others()
            for use in entry.devices
            if use.uuid == uuid_of(index)
        )
        taken = DRIVER_RESERVE_BYTES + others + self.devices[index].used_bytes
        return max(0, self.hardware.total_bytes - taken)

    def publish(self) -> None:
        """Write the ledger if a figure that the driver would know has changed."""
        used = tuple(device.used_bytes for device in self.devices)
        if used == self._written:
            return
        self._written = used
        self._ledger.write(
            [
                DeviceUse(
                    device.index,
                    uuid_of(device.index),
                    self.hardware.name,
                    self.hardware.total_bytes,
                    device.used_bytes,
                )
                for device in self.devices
            ]
        )
