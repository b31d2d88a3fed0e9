"""NVML between one start and its shutdown: the devices, and what was learned about the driver."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from jupyterlab_gpumem.devices.provider import DeviceSample

from .faults import GPU_IS_LOST, NOT_SUPPORTED, UNINITIALIZED, UNKNOWN, NvmlFault, device_state
from .inventory import Inventory, Unit
from .memory import MemoryReader, system_memory
from .processes import ProcessReader, merge

if TYPE_CHECKING:
    from jupyterlab_gpumem.devices.provider import DeviceInfo, ProcessEntry
    from jupyterlab_gpumem.wire import DeviceState

    from .binding import Binding
    from .power import Power
    from .sensors import Sensors


class Session:
    """Read devices through a started NVML; :class:`NvmlFault` tells that all of it is in trouble.

    A fault belongs to the smallest thing it hit: one value, one device, or all.
    """

    def __init__(
        self,
        binding: Binding,
        known: dict[int, DeviceInfo],
        *,
        power: Power,
        sensors: Sensors | None,
    ) -> None:
        self._binding = binding
        self._power = power
        self._sensors = sensors
        self._pid = os.getpid()
        self._units: dict[str, Unit] = {}
        self._totals: dict[str, int] = {}
        self._no_utilization: set[str] = set()
        self._memory = MemoryReader(binding)
        self._processes = ProcessReader(binding)
        binding.call("nvmlInit")
        try:
            self._inventory = Inventory(binding, self._memory, count=self._count(), known=known)
        except NvmlFault:
            self.close()
            raise

    def close(self) -> None:
        """Shut NVML down, once for the one start."""
        if not self.is_foreign:
            with suppress(NvmlFault):
                self._binding.call("nvmlShutdown")

    @property
    def is_foreign(self) -> bool:
        """Tell whether a parent process started this, which is of no use after the fork."""
        return self._pid != os.getpid()

    @property
    def has_lost(self) -> bool:
        """Tell whether some GPU cannot be asked any more."""
        return self._inventory.has_lost

    @property
    def hidden_devices(self) -> int:
        """How many GPUs the driver counts but does not let us see."""
        return self._inventory.hidden_devices

    def has_changed(self) -> bool:
        """Tell whether GPUs came or went since the start."""
        return self._count() != self._inventory.count

    def devices(self) -> list[DeviceInfo]:
        """Return GPUs and their instances."""
        units = self._inventory.units(is_asleep=self._power.is_asleep)
        self._units = {unit.info.key: unit for unit in units}
        return [unit.info for unit in self._units.values()]

    def sample(self, key: str) -> DeviceSample:
        """Read memory, utilisation, and what the sensors say if they are wanted."""
        unit = self._units[key]
        if unit.handle is None:
            return DeviceSample(state=unit.state)
        try:
            sample = self._with_utilization(unit, self._read_memory(unit))
            if self._sensors and not unit.instance:
                sample = self._sensors.add(sample, key, unit.handle)
        except NvmlFault as fault:
            return DeviceSample(state=self._judge(unit, fault))
        if sample.total_bytes:
            self._totals[key] = sample.total_bytes
        return sample

    def processes(self, key: str) -> tuple[ProcessEntry, ...] | None:
        """List a device's processes; those of a partitioned GPU are listed at its instances."""
        unit = self._units[key]
        if unit.handle is None or (unit.has_instances and unit.instance is None):
            return None
        try:
            listed = self._processes.read(
                unit.handle,
                total_bytes=self._totals.get(key),
                has_instances=unit.has_instances,
            )
            if listed is None and unit.instance:
                # A virtualisation host lists them at the GPU only, marked with their instance.
                at_gpu = self._processes.read(unit.parent, total_bytes=None, has_instances=True)
                listed = at_gpu and [
                    (kind, raw)
                    for kind, raw in at_gpu
                    if (raw.gpu_instance, raw.compute_instance) == unit.instance
                ]
        except NvmlFault as fault:
            self._judge(unit, fault)
            return None
        return None if listed is None else merge(listed)

    def _count(self) -> int:
        count: int = self._binding.call("nvmlDeviceGetCount")
        return count

    def _read_memory(self, unit: Unit) -> DeviceSample:
        return system_memory() if unit.info.kind == "unified" else self._memory.read(unit.handle)

    def _with_utilization(self, unit: Unit, sample: DeviceSample) -> DeviceSample:
        # Instances have none, and asking again what is not supported is wasted.
        if unit.instance or unit.info.key in self._no_utilization:
            return sample
        try:
            rates = self._binding.call("nvmlDeviceGetUtilizationRates", unit.handle)
        except NvmlFault as fault:
            if fault.code in (GPU_IS_LOST, UNKNOWN, UNINITIALIZED):
                raise
            if fault.code != NOT_SUPPORTED:
                return replace(sample, state="partial")
            self._no_utilization.add(unit.info.key)
            return sample
        return replace(sample, utilization_pct=rates.gpu if rates.gpu <= 100 else None)

    def _judge(self, unit: Unit, fault: NvmlFault) -> DeviceState:
        """Return the device's state after a fault, dropping the handle of a lost one."""
        if fault.code == UNINITIALIZED:
            raise fault
        state = device_state(fault.code)
        if state == "lost":
            self._inventory.lose(unit.info.key)
            self._units[unit.info.key] = replace(unit, handle=None, state=state)
        return state
