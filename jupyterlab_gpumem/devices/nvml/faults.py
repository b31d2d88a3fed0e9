"""What NVML's error numbers mean for a provider and for a device, and what a person can do.

Mapped by number, never by the binding's classes: it leaves numbers it does not know unclassed, its
errors cannot be hashed, and comparing one with anything else raises.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jupyterlab_gpumem.devices.provider import ProviderUnavailable

if TYPE_CHECKING:
    from jupyterlab_gpumem.wire import DeviceState, ProviderState

UNINITIALIZED = 1
NOT_SUPPORTED = 3
NO_PERMISSION = 4
NOT_FOUND = 6
INSUFFICIENT_SIZE = 7
DRIVER_NOT_LOADED = 9
LIBRARY_NOT_FOUND = 12
FUNCTION_NOT_FOUND = 13
GPU_IS_LOST = 15
RESET_REQUIRED = 16
LIB_RM_VERSION_MISMATCH = 18
ARGUMENT_VERSION_MISMATCH = 25
UNKNOWN = 999
UNREADABLE = -1
"""Ours, not NVML's: the binding could not make sense of the answer."""

HINTS = frozenset(
    {
        "check_driver",
        "container_utility_capability",
        "driver_crashed",
        "driver_hangs",
        "gpu_asleep",
        "install_binding",
        "install_driver",
        "load_driver",
        "old_binding",
        "permission",
        "report_bug",
        "restart_container",
        "restart_server_after_driver_upgrade",
        "stub_library",
        "wsl_library_order",
    }
)
"""Codes of remedies; the page turns them into sentences."""


class NvmlFault(Exception):
    """A driver call failed with ``code``."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class Surroundings:
    """What about this machine decides on the remedy; ``root`` stands for ``/``."""

    root: Path = Path("/")

    @property
    def is_container(self) -> bool:
        """Tell whether a container engine left its mark."""
        return any((self.root / mark).exists() for mark in (".dockerenv", "run/.containerenv"))

    @property
    def is_wsl(self) -> bool:
        """Tell whether Windows brings the driver."""
        return (self.root / "usr/lib/wsl/lib").exists()

    @property
    def has_device_nodes(self) -> bool:
        """Tell whether a GPU was given to us, whatever libraries are missing."""
        nodes = ("dev/nvidiactl", "dev/nvidia0", "dev/dxg")
        return any((self.root / node).exists() for node in nodes)

    def loaded_library(self) -> str | None:
        """Return the NVML file this process has loaded: a stub or a wrong one may come first."""
        try:
            maps = (self.root / "proc/self/maps").read_text(errors="replace")
        except OSError:
            return None
        return next((x.split()[-1] for x in maps.splitlines() if "libnvidia-ml" in x), None)


def unavailable(fault: NvmlFault, surroundings: Surroundings) -> ProviderUnavailable:
    """Turn a fault of the whole library into the provider's state."""
    library = surroundings.loaded_library()
    detail = f"{fault} ({library})" if library else str(fault)
    state: ProviderState = _PROVIDER_STATES.get(fault.code, "error")
    return ProviderUnavailable(state, detail, _remedy(fault.code, surroundings, library))


def device_state(code: int) -> DeviceState:
    """Return the state of a device on which a needed call failed.

    A lost GPU says "unknown error" at least as often as "lost".
    """
    return _DEVICE_STATES.get(code, "error")


def _remedy(code: int, surroundings: Surroundings, library: str | None) -> str:
    if library and "/stubs/" in library:
        return "stub_library"
    if code in (LIBRARY_NOT_FOUND, DRIVER_NOT_LOADED) and surroundings.is_wsl:
        return "wsl_library_order"
    if code == LIBRARY_NOT_FOUND:
        # A container with the GPU's device nodes but without this library can compute all the same.
        given = surroundings.is_container and surroundings.has_device_nodes
        return "container_utility_capability" if given else "install_driver"
    if code == UNKNOWN and surroundings.is_container:
        return "restart_container"
    return _PLAIN_REMEDIES.get(code, "check_driver")


_PROVIDER_STATES: dict[int, ProviderState] = {
    NO_PERMISSION: "no_permission",
    DRIVER_NOT_LOADED: "no_driver",
    LIBRARY_NOT_FOUND: "no_library",
    LIB_RM_VERSION_MISMATCH: "version_mismatch",
}
_PLAIN_REMEDIES = {
    NO_PERMISSION: "permission",
    DRIVER_NOT_LOADED: "load_driver",
    LIB_RM_VERSION_MISMATCH: "restart_server_after_driver_upgrade",
}
_DEVICE_STATES: dict[int, DeviceState] = {
    NO_PERMISSION: "no_permission",
    GPU_IS_LOST: "lost",
    UNKNOWN: "lost",
    RESET_REQUIRED: "reset_required",
}
