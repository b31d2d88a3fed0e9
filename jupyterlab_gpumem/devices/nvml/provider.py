"""The provider that reads NVIDIA GPUs: when to start NVML, when to leave it alone."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from jupyterlab_gpumem.devices.provider import DeviceSample, ProviderUnavailable

from .binding import Binding
from .faults import NvmlFault, Surroundings, unavailable
from .power import Power
from .sensors import Sensors
from .session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jupyterlab_gpumem.devices.provider import DeviceInfo, ProcessEntry

LOST_RETRY_S = 30.0


class NvmlProvider:
    """Read GPUs through NVML; all its methods belong to one thread.

    ``root`` stands for ``/`` where files tell about sleeping GPUs and containers; ``sensors`` also
    reads temperature and power.
    """

    name = "nvml"

    def __init__(
        self,
        *,
        root: Path = Path("/"),
        clock: Callable[[], float] = time.monotonic,
        sensors: bool = False,
    ) -> None:
        self._surroundings = Surroundings(root)
        self._power = Power(root)
        self._with_sensors = sensors
        self._clock = clock
        self._binding: Binding | None = None
        self._session: Session | None = None
        self._known: dict[int, DeviceInfo] = {}
        self._last_seen: list[DeviceInfo] = []
        self._lost_since: float | None = None

    @property
    def hidden_devices(self) -> int:
        """How many GPUs the driver counts but does not let us see."""
        return self._session.hidden_devices if self._session else 0

    def open(self) -> None:
        """Get the binding ready; the library itself starts with the first look at the devices."""
        self._binding = Binding.load()

    def close(self) -> None:
        """Give NVML back: while it is open no GPU can sleep, be reset or be partitioned anew."""
        if self._session:
            self._session.close()
            self._session = None

    def devices(self) -> Sequence[DeviceInfo]:
        """Return GPUs and MIG instances, each GPU followed by its own."""
        if self._session is None and self._power.all_asleep():
            return self._sleeping()
        try:
            session = self._current()
            infos = session.devices()
        except NvmlFault as fault:
            raise unavailable(fault, self._surroundings) from fault
        self._last_seen = infos
        return infos

    def sample(self, device: DeviceInfo) -> DeviceSample:
        """Read memory and utilisation; a fault of the device becomes its state."""
        if self._session is None:
            return DeviceSample(state="asleep")
        try:
            return self._session.sample(device.key)
        except NvmlFault as fault:
            raise unavailable(fault, self._surroundings) from fault

    def processes(self, device: DeviceInfo) -> Sequence[ProcessEntry] | None:
        """List the processes; a GPU cut into instances leaves that to them and answers ``None``."""
        if self._session is None:
            return None
        try:
            return self._session.processes(device.key)
        except NvmlFault as fault:
            raise unavailable(fault, self._surroundings) from fault

    def _sleeping(self) -> list[DeviceInfo]:
        """Return the devices of before; starting NVML would wake them."""
        if not self._last_seen:
            raise ProviderUnavailable("asleep", "The GPUs are suspended.", "gpu_asleep")
        return self._last_seen

    def _current(self) -> Session:
        """Return a session that fits the GPUs there are, starting anew where needed."""
        if self._session and (self._session.is_foreign or self._is_outdated(self._session)):
            self.close()
        if self._session is None:
            binding = self._binding or Binding.load()
            sensors = Sensors(binding, self._clock) if self._with_sensors else None
            self._session = Session(binding, self._known, power=self._power, sensors=sensors)
        return self._session

    def _is_outdated(self, session: Session) -> bool:
        """Tell whether GPUs came or went, or one has been lost for long enough to try again."""
        if not session.has_lost:
            self._lost_since = None
        elif self._lost_since is None:
            self._lost_since = self._clock()
        elif self._clock() - self._lost_since >= LOST_RETRY_S:
            self._lost_since = None
            return True
        return session.has_changed()
