"""Temperature and power: of little use here and the costliest of the simple calls, so rare."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .faults import GPU_IS_LOST, NOT_SUPPORTED, UNINITIALIZED, UNKNOWN, NvmlFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from jupyterlab_gpumem.devices.provider import DeviceSample

    from .binding import Binding

INTERVAL_S = 5.0
CORE_SENSOR = 0


@dataclass(frozen=True)
class _Values:
    read_at: float
    temperature_c: int | None
    power_w: float | None


class Sensors:
    """Read temperature and power every few seconds, and never again what is not supported."""

    def __init__(self, binding: Binding, clock: Callable[[], float]) -> None:
        self._binding = binding
        self._clock = clock
        self._values: dict[str, _Values] = {}
        self._unsupported: set[tuple[str, str]] = set()

    def add(self, sample: DeviceSample, key: str, handle: Any) -> DeviceSample:
        """Return the sample with the latest values; raises :class:`NvmlFault` of a lost GPU."""
        now = self._clock()
        values = self._values.get(key)
        if values is None or now - values.read_at >= INTERVAL_S:
            temperature = self._read(key, "nvmlDeviceGetTemperature", handle, CORE_SENSOR)
            milliwatts = self._read(key, "nvmlDeviceGetPowerUsage", handle)
            power = None if milliwatts is None else milliwatts / 1000
            values = self._values[key] = _Values(now, temperature, power)
        return replace(sample, temperature_c=values.temperature_c, power_w=values.power_w)

    def _read(self, key: str, function: str, *arguments: Any) -> int | None:
        if (key, function) in self._unsupported:
            return None
        try:
            value: int = self._binding.call(function, *arguments)
        except NvmlFault as fault:
            if fault.code in (GPU_IS_LOST, UNKNOWN, UNINITIALIZED):
                raise
            if fault.code == NOT_SUPPORTED:
                self._unsupported.add((key, function))
            return None
        return value
