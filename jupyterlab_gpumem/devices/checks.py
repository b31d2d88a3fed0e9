"""What works on this machine and what does not, each with the code of a remedy.

Reads files of the system: not for the event loop.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .claims import in_initial_namespace
from .nvml import origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..wire import Check, CheckState, Device, DeviceState, Provider, ProviderState

HINTS = frozenset({"gpu_lost", "gpu_reset", "share_pid_namespace"})
"""Codes of remedies that only these checks give."""

_DEVICE_HINTS: dict[DeviceState, str] = {
    "lost": "gpu_lost",
    "reset_required": "gpu_reset",
    "no_permission": "permission",
    "error": "check_driver",
}
# No GPU is nothing wrong where there is none.
_ABSENT: frozenset[ProviderState] = frozenset({"no_library", "no_driver"})
_QUIET: frozenset[ProviderState] = frozenset({"no_devices", "asleep", "off", "starting"})


def machine_checks(
    providers: Sequence[Provider], devices: Sequence[Device], *, root: Path = Path("/")
) -> list[Check]:
    """Look at NVIDIA's software, the pid namespace, the sources of figures and the devices."""
    checks = []
    if any(provider["name"] == "nvml" for provider in providers):
        checks += [_binding(), _library(root), _driver(root)]
    reads_gpus = any(device["provider"] == "nvml" for device in devices)
    checks.append(_namespace(root, reads_gpus=reads_gpus))
    present = origin.has_hardware(root)
    checks += [_provider(provider, present=present) for provider in providers]
    checks += [_device(device, devices) for device in devices]
    return checks


def check(name: str, state: CheckState, detail: str, hint: str | None = None) -> Check:
    """Say what came of one look."""
    return {"name": name, "state": state, "detail": detail, "hint": hint}


def _binding() -> Check:
    file, versions = origin.binding_file(), origin.installed()
    if file is None:
        return check("binding", "error", "NVIDIA's Python binding is missing", "install_binding")
    named = ", ".join(f"{name} {version}" for name, version in versions.items())
    detail = f"{named or 'of unknown origin'}: {file}"
    clash = origin.shadows(versions)
    return check("binding", "warning" if clash else "ok", detail, "old_binding" if clash else None)


def _library(root: Path) -> Check:
    path = origin.loaded_library(root)
    if path is None:
        return check("library", "info", "NVIDIA's library is not loaded")
    if "/stubs/" in path:
        return check("library", "error", path, "stub_library")
    driver, library = origin.driver_version(root), origin.library_version(path)
    if driver and library and driver != library:
        detail = f"{path}, but the driver is {driver}"
        return check("library", "error", detail, "restart_server_after_driver_upgrade")
    return check("library", "ok", path)


def _driver(root: Path) -> Check:
    version = origin.driver_version(root)
    if version:
        return check("driver", "ok", f"NVIDIA {version}")
    if (root / "dev/dxg").exists():
        return check("driver", "info", "Windows has the driver")
    if origin.has_hardware(root):
        return check("driver", "error", "There is an NVIDIA GPU, but no driver", "load_driver")
    return check("driver", "info", "There is no NVIDIA GPU in this computer")


def _namespace(root: Path, *, reads_gpus: bool) -> Check:
    if in_initial_namespace(root / "proc"):
        return check("pid_namespace", "ok", "Process ids are those of the machine")
    detail = "The server runs in a pid namespace of its own, as in a container"
    if not reads_gpus:
        return check("pid_namespace", "info", detail)
    return check("pid_namespace", "warning", detail, "share_pid_namespace")


def _provider(provider: Provider, *, present: bool) -> Check:
    words = filter(None, (provider["name"], provider["state"], provider["detail"]))
    state = provider["state"]
    if state == "ok":
        level: CheckState = "ok"
    elif state in _QUIET or (state in _ABSENT and not present and _is_plain(provider)):
        level = "info"
    else:
        level = "error"
    return check("provider", level, ": ".join(words), provider["hint"])


def _is_plain(provider: Provider) -> bool:
    """Tell whether nothing but the GPU itself is missing."""
    return provider["hint"] in ("install_driver", "load_driver", None)


def _device(device: Device, devices: Iterable[Device]) -> Check:
    number = f"GPU {device['index']}" if device["index"] is not None else device["kind"]
    detail = f"{number}: {device['name']}, {device['key']}"
    if device["state"] in _DEVICE_HINTS:
        hint = _DEVICE_HINTS[device["state"]]
        return check("device", "error", f"{detail}: {device['state']}", hint)
    if device["stale"] or device["state"] == "partial":
        trouble = "its figures are old" if device["stale"] else "some values cannot be read"
        return check("device", "warning", f"{detail}: {trouble}")
    is_cut = any(other["parent_key"] == device["key"] for other in devices)
    if device["processes"] is None and device["provider"] != "kernel" and not is_cut:
        return check("device", "warning", f"{detail}: its processes cannot be listed")
    return check("device", "ok", detail)
