"""Put the memory of the devices down to the kernels, as the settings want it shown."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

from ..devices.claims import believed
from .attribution import Attribution, attribute, without_others
from .errand import Errand
from .kernels.owners import Owners
from .views import HOST_KIND

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    from ..devices.provider import DeviceReading
    from ..wire import Allocator, Device
    from .kernels.conversation import Conversation
    from .kernels.owners import Owner

    _LookedUp: TypeAlias = tuple[dict[int, Owner], set[int]]

HostMemory = Literal["auto", "always", "never"]
LOOK_UP_WAIT_S = 0.3
REPORTED = "kernel"
"""Provider of the devices that only kernels tell of."""
APPLE_KEY = "kernel:mps"
GRACE_INTERVALS = 2.5


class Attributor:
    """Ask the system about processes, off the event loop, and join all that is known."""

    def __init__(
        self,
        *,
        interval_s: float,
        show_host_memory: HostMemory = "auto",
        show_other_processes: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._interval_s = interval_s
        self._show_host_memory: HostMemory = show_host_memory
        self._show_other_processes = show_other_processes
        self._clock = clock
        self._has_gpus = False
        self._reported_since: dict[str, float] = {}
        self._owners = Owners()
        self._errand: Errand[_LookedUp] = Errand(({}, set()), wait_s=LOOK_UP_WAIT_S)

    @property
    def shows_host_memory(self) -> bool:
        """Whether the machine's memory is shown, beside the devices that were seen last."""
        if self._show_host_memory == "auto":
            return not self._has_gpus
        return self._show_host_memory == "always"

    async def attribute(
        self, readings: Sequence[DeviceReading], conversations: Mapping[str, Conversation]
    ) -> Attribution:
        """Return the devices that are to be shown, and the shares of each kernel on them."""
        pids = {entry.pid for reading in readings for entry in reading.processes or ()}
        owners, certain = await self._errand.do(lambda: self._look_up(pids, conversations))
        whole = attribute(
            readings,
            owners,
            {kernel_id: _allocators(c) for kernel_id, c in conversations.items()},
            believed=certain,
            interval_s=self._interval_s,
        )
        seen = self._lasting(whole.devices)
        self._has_gpus = any(device["kind"] != HOST_KIND for device in seen)
        devices = [d for d in seen if d["kind"] != HOST_KIND or self.shows_host_memory]
        keys = {device["key"] for device in devices}
        if not self._show_other_processes:
            devices = [without_others(device) for device in devices]
        kernels = {
            kernel_id: [s for s in shares if s["key"] in keys or s["key"].startswith(REPORTED)]
            for kernel_id, shares in whole.kernels.items()
        }
        return Attribution(devices, kernels)

    def _look_up(self, pids: set[int], conversations: Mapping[str, Conversation]) -> _LookedUp:
        interpreters = {
            kernel_id: c.figures["pid"] for kernel_id, c in conversations.items() if c.figures
        }
        owners = self._owners.resolve(pids, pids_of(conversations), interpreters=interpreters)
        return owners, believed(pids)

    def _lasting(self, devices: Sequence[Device]) -> list[Device]:
        """Leave out devices that only kernels tell of, until no provider can be about to see them.

        A kernel's first report may come before the provider's next reading.
        """
        now = self._clock()
        reported = {d["key"] for d in devices if d["provider"] == REPORTED}
        self._reported_since = {
            key: self._reported_since.get(key, now) for key in reported - {APPLE_KEY}
        }
        grace_s = GRACE_INTERVALS * self._interval_s
        young = {key for key, since in self._reported_since.items() if now - since < grace_s}
        return [device for device in devices if device["key"] not in young]


def pids_of(conversations: Mapping[str, Conversation]) -> dict[int, str]:
    """Return the kernels by the process that the server started for them."""
    return {
        conversation.pid: kernel_id
        for kernel_id, conversation in conversations.items()
        if conversation.pid is not None
    }


def _allocators(conversation: Conversation) -> list[Allocator]:
    figures = conversation.figures
    return (figures["allocators"] if figures else None) or []
