"""Simulated GPUs, read from the ledgers that the simulator writes in the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..simulator.ledger import default_folder, read_ledgers
from ..simulator.settings import DRIVER_RESERVE_BYTES, Hardware, uuid_of
from .provider import DeviceInfo, DeviceSample, ProcessEntry, ProviderUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..simulator.ledger import DeviceUse


class SimulatedProvider:
    """Show the devices named by ledgers, and ``gpus`` that are there without any kernel."""

    name = "simulated"

    def __init__(
        self,
        *,
        gpus: int = 0,
        total_bytes: int = Hardware().total_bytes,
        folder: Path | None = None,
    ) -> None:
        self._always = {
            uuid_of(index): (index, Hardware(gpus, total_bytes)) for index in range(gpus)
        }
        self._folder = folder
        self._total_bytes: dict[str, int] = {}

    def open(self) -> None:
        """Find the folder that kernels share with the server."""
        if self._folder is None:
            self._folder = default_folder()

    def close(self) -> None:
        """Nothing is held."""

    def devices(self) -> Sequence[DeviceInfo]:
        """List the simulated GPUs; raises :class:`ProviderUnavailable` if nobody simulates one."""
        found: dict[str, DeviceInfo] = {}
        totals: dict[str, int] = {}
        for uuid, (index, hardware) in self._always.items():
            found[uuid] = _info(uuid, index, hardware.name)
            totals[uuid] = hardware.total_bytes
        for _, use in self._uses():
            found.setdefault(use.uuid, _info(use.uuid, use.index, use.name))
            totals.setdefault(use.uuid, use.total_bytes)
        if not found:
            raise ProviderUnavailable("off")
        self._total_bytes = {found[uuid].key: total for uuid, total in totals.items()}
        return sorted(found.values(), key=lambda info: info.index or 0)

    def sample(self, device: DeviceInfo) -> DeviceSample:
        """Add up the processes; a constant reserve stands for the driver's own."""
        total = self._total_bytes.get(device.key)
        used = sum(process.used_bytes or 0 for process in self.processes(device))
        if total is None:
            return DeviceSample(used_bytes=used)
        return DeviceSample(
            total_bytes=total,
            used_bytes=used,
            reserved_bytes=DRIVER_RESERVE_BYTES,
            free_bytes=max(0, total - used - DRIVER_RESERVE_BYTES),
        )

    def processes(self, device: DeviceInfo) -> Sequence[ProcessEntry]:
        """List the processes that hold anything, the context included."""
        return [
            ProcessEntry(pid, use.used_bytes)
            for pid, use in self._uses()
            if _key(use.uuid) == device.key and use.used_bytes > 0
        ]

    def _uses(self) -> list[tuple[int, DeviceUse]]:
        self.open()
        if self._folder is None:
            return []
        return [(entry.pid, use) for entry in read_ledgers(self._folder) for use in entry.devices]


def _key(uuid: str) -> str:
    return f"{SimulatedProvider.name}:{uuid}"


def _info(uuid: str, index: int, name: str) -> DeviceInfo:
    return DeviceInfo(_key(uuid), "simulated", name, index)
