"""Whether GPUs sleep, told by the system without waking them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jupyterlab_gpumem.devices.provider import DeviceInfo

NVIDIA = "0x10de"
DISPLAY_CLASS = "0x03"
SUSPENDED = "suspended"


class Power:
    """Look at the runtime power states in sysfs; ``root`` stands for ``/``."""

    def __init__(self, root: Path) -> None:
        self._pci = root / "sys/bus/pci/devices"

    def all_asleep(self) -> bool:
        """Tell whether there are NVIDIA GPUs and all of them are suspended.

        Starting NVML wakes every GPU, and keeps most awake until shutdown.
        """
        states = list(self._states())
        return bool(states) and all(state == SUSPENDED for state in states)

    def is_asleep(self, info: DeviceInfo) -> bool:
        """Tell whether one GPU is suspended: some fall asleep although NVML is open."""
        if info.pci is None:
            return False
        try:
            return _state(self._pci / info.pci) == SUSPENDED
        except OSError:
            return False

    def _states(self) -> Iterator[str]:
        for folder in self._pci.glob("*"):
            try:
                if (folder / "vendor").read_text().strip() != NVIDIA:
                    continue
                if (folder / "class").read_text().startswith(DISPLAY_CLASS):
                    yield _state(folder)
            except OSError:
                continue


def _state(folder: Path) -> str:
    return (folder / "power/runtime_status").read_text().strip()
