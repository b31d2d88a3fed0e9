"""Where NVIDIA's binding and library come from on this machine, found without loading either."""

from __future__ import annotations

import importlib.util
import os
import re
from importlib import metadata
from pathlib import Path

import psutil

BINDING = "nvidia-ml-py"
IMPOSTORS = {"pynvml": 12, "nvidia-ml-py3": 10**6}
"""Distributions that install a module of the same name, up to which version they do."""
HELPER = "jupyterlab_gpumem.devices.isolation.helper"
LIBRARY = "libnvidia-ml"
NVIDIA_VENDOR = "0x10de"


def binding_file() -> str | None:
    """Return the file that an import of the binding would load."""
    try:
        spec = importlib.util.find_spec("pynvml")
    except (ImportError, ValueError):
        return None
    return spec.origin if spec else None


def shadows(versions: dict[str, str]) -> bool:
    """Tell whether some other distribution may have put its module in the binding's place."""
    return any(
        name in versions and int(versions[name].partition(".")[0]) < fixed
        for name, fixed in IMPOSTORS.items()
    )


def installed() -> dict[str, str]:
    """Return the versions of the distributions that claim the binding's name."""
    found = {}
    for name in (BINDING, *IMPOSTORS):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def loaded_library(root: Path = Path("/")) -> str | None:
    """Return the library file that this process, or its helper for NVML, has loaded."""
    for pid in (os.getpid(), *_helpers()):
        try:
            maps = (root / f"proc/{pid}/maps").read_text(errors="replace")
        except OSError:
            continue
        for line in maps.splitlines():
            if LIBRARY in line:
                # The path may have spaces, and comes after five fields.
                return line.split(maxsplit=5)[-1]
    return None


def driver_version(root: Path = Path("/")) -> str | None:
    """Return the version of the kernel module that is loaded."""
    try:
        text = (root / "proc/driver/nvidia/version").read_text(errors="replace")
    except OSError:
        return None
    found = re.search(r"\s(\d+\.\d+(?:\.\d+)?)\s", text.partition("\n")[0])
    return found[1] if found else None


def library_version(path: str) -> str | None:
    """Return the version that the file of a library bears in its name."""
    found = re.search(r"\.so\.(\d+\.\d+(?:\.\d+)?)$", path)
    return found[1] if found else None


def has_hardware(root: Path = Path("/")) -> bool:
    """Tell whether there is a card of NVIDIA's, whatever software there is for it."""
    if (root / "dev/dxg").exists():
        return True
    return any(
        _text(vendor).strip() == NVIDIA_VENDOR
        and _text(vendor.with_name("class")).startswith("0x03")
        for vendor in root.glob("sys/bus/pci/devices/*/vendor")
    )


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def _helpers() -> list[int]:
    found = []
    for child in psutil.Process().children():
        try:
            if any(HELPER in argument for argument in child.cmdline()):
                found.append(child.pid)
        except psutil.Error:
            continue
    return found
