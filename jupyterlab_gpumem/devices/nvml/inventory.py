"""Which devices there are: GPUs and the MIG instances on them, with the handles to ask them."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jupyterlab_gpumem.devices.provider import DeviceInfo

from .faults import GPU_IS_LOST, NO_PERMISSION, UNINITIALIZED, UNKNOWN, NvmlFault, device_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from jupyterlab_gpumem.wire import DeviceKind, DeviceState

    from .binding import Binding
    from .memory import MemoryReader

VGPU_MODE = 2


@dataclass(frozen=True)
class Unit:
    """A device and how to ask for it; without a handle it cannot be asked."""

    info: DeviceInfo
    handle: Any = None
    state: DeviceState = "ok"
    has_instances: bool = False
    parent: Any = None
    instance: tuple[int, int] | None = None


class Inventory:
    """The devices of one initialisation; handles do not outlive it.

    ``known`` does: it names a GPU by index that can no longer say who it is.
    """

    def __init__(
        self, binding: Binding, memory: MemoryReader, *, count: int, known: dict[int, DeviceInfo]
    ) -> None:
        self._binding = binding
        self._memory = memory
        self._known = known
        if known and max(known) >= count:
            # One has gone and the rest may have moved up: the old indices say nothing any more.
            known.clear()
        self.count = count
        self.hidden_devices = 0
        self._gpus = [gpu for index in range(count) if (gpu := self._gpu(index))]

    def units(self, *, is_asleep: Callable[[DeviceInfo], bool]) -> list[Unit]:
        """Return all devices, each GPU followed by its instances; a sleeping one is left alone.

        Instances are looked up anew every time: their handles may be reused for others.
        """
        found = []
        for gpu in self._gpus:
            if gpu.handle is not None and is_asleep(gpu.info):
                found.append(replace(gpu, handle=None, state="asleep"))
                continue
            has_instances = gpu.handle is not None and self._mig_enabled(gpu)
            found.append(replace(gpu, has_instances=has_instances))
            found += self._instances(gpu) if has_instances else []
        return found

    def lose(self, key: str) -> None:
        """Let go of a GPU's handle: a call on a lost one can take the process down."""
        self._gpus = [
            replace(gpu, handle=None, state="lost") if gpu.info.key == key else gpu
            for gpu in self._gpus
        ]

    @property
    def has_lost(self) -> bool:
        """Tell whether some GPU cannot be asked any more."""
        return any(gpu.handle is None for gpu in self._gpus)

    def _gpu(self, index: int) -> Unit | None:
        try:
            handle = self._binding.call("nvmlDeviceGetHandleByIndex", index)
            info = self._known[index] = self._identify(handle, index)
            return Unit(info, handle)
        except NvmlFault as fault:
            if fault.code == UNINITIALIZED:
                raise
            if fault.code == NO_PERMISSION:
                self.hidden_devices += 1
                return None
            nameless = DeviceInfo(f"nvml:index-{index}", "dedicated", f"GPU {index}", index)
            return Unit(self._known.get(index, nameless), None, device_state(fault.code))

    def _identify(self, handle: Any, index: int) -> DeviceInfo:
        key = _key(self._binding.text("nvmlDeviceGetUUID", handle))
        name = self._name(handle, f"GPU {index}")
        return DeviceInfo(key, self._kind(handle), name, index, pci=self._pci(handle))

    def _pci(self, handle: Any) -> str | None:
        try:
            pci = self._binding.call("nvmlDeviceGetPciInfo", handle)
        except NvmlFault as fault:
            if fault.code in (GPU_IS_LOST, UNKNOWN):
                raise
            return None
        # The driver writes a longer domain than sysfs, and PyTorch, do.
        return f"{pci.domain:04x}:{pci.bus:02x}:{pci.device:02x}.0"

    def _kind(self, handle: Any) -> DeviceKind:
        try:
            if self._binding.call("nvmlDeviceGetVirtualizationMode", handle) == VGPU_MODE:
                return "vgpu"
        except NvmlFault:
            pass
        # Listing MPS clients as devices makes nearly every call unsupported, the memory's too.
        by_mps = os.environ.get("NVML_MPS_DEVICE_ENUMERATION") == "1"
        return "unified" if not by_mps and self._memory.is_shared(handle) else "dedicated"

    def _name(self, handle: Any, otherwise: str) -> str:
        try:
            return self._binding.text("nvmlDeviceGetName", handle)
        except NvmlFault as fault:
            if fault.code in (GPU_IS_LOST, UNKNOWN):
                raise
            return otherwise

    def _mig_enabled(self, gpu: Unit) -> bool:
        try:
            current, _ = self._binding.call("nvmlDeviceGetMigMode", gpu.handle)
        except NvmlFault:
            return False
        return bool(current)

    def _instances(self, gpu: Unit) -> list[Unit]:
        found = []
        try:
            slots = self._binding.call("nvmlDeviceGetMaxMigDeviceCount", gpu.handle)
        except NvmlFault:
            return []
        for slot in range(slots):
            try:
                found.append(self._instance(gpu, slot))
            except NvmlFault:
                # An empty slot, or an instance that was just taken down.
                continue
        return found

    def _instance(self, gpu: Unit, slot: int) -> Unit:
        handle = self._binding.call("nvmlDeviceGetMigDeviceHandleByIndex", gpu.handle, slot)
        key = _key(self._binding.text("nvmlDeviceGetUUID", handle))
        name = self._name(handle, f"{gpu.info.name} MIG {slot}")
        gi = self._binding.call("nvmlDeviceGetGpuInstanceId", handle)
        ci = self._binding.call("nvmlDeviceGetComputeInstanceId", handle)
        return Unit(
            DeviceInfo(key, "mig", name, slot, gpu.info.key, gpu.info.pci),
            handle,
            has_instances=True,
            parent=gpu.handle,
            instance=(gi, ci),
        )


def _key(uuid: str) -> str:
    """Return the key for a UUID: MIG instances keep their prefix, so none is taken for a GPU."""
    return "nvml:" + uuid.lower().removeprefix("gpu-")
