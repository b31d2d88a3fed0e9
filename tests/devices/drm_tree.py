"""A folder tree that looks like sysfs and ``/proc`` of a machine with AMD and Intel GPUs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MIB, GIB = 2**20, 2**30
AMD, INTEL, NVIDIA = "0x1002", "0x8086", "0x10de"
FIRST, SECOND = "0000:03:00.0", "0000:0a:00.0"
RENDER_NODES = 128


@dataclass(frozen=True)
class DrmTree:
    """Write what drivers would; each method returns the folder to change things in."""

    root: Path

    def card(self, number: int, pci: str, vendor: str, files: Mapping[str, object]) -> Path:
        """Add a card with its files, its nodes, and its place on the bus."""
        folder = self.pci_device(pci, vendor)
        render = f"renderD{RENDER_NODES + number}"
        (folder / "drm" / render).mkdir(parents=True)
        node = folder / "drm" / f"card{number}"
        node.mkdir()
        (node / "device").symlink_to(folder)
        listed = self.root / "sys/class/drm"
        listed.mkdir(parents=True, exist_ok=True)
        (listed / node.name).symlink_to(node)
        (listed / f"{node.name}-DP-1").mkdir()
        (self.root / "dev/dri").mkdir(parents=True, exist_ok=True)
        (self.root / "dev/dri" / render).touch()
        write(folder, {"power/runtime_status": "active", **files})
        return folder

    def pci_device(self, pci: str, vendor: str) -> Path:
        """Add a display device without a driver that we read."""
        folder = self.root / "sys/devices/pci0000:00" / pci
        folder.mkdir(parents=True)
        bus = self.root / "sys/bus/pci/devices"
        bus.mkdir(parents=True, exist_ok=True)
        (bus / pci).symlink_to(folder)
        write(folder, {"vendor": vendor, "class": "0x030000", "device": "0x744c"})
        return folder

    def radeon(self, number: int = 0, pci: str = FIRST, *, used: int = 5 * GIB) -> Path:
        """Add an AMD card of 24 GiB."""
        return self.card(
            number,
            pci,
            AMD,
            {
                "mem_info_vram_total": 24 * GIB,
                "mem_info_vram_used": used,
                "mem_info_gtt_total": 16 * GIB,
                "mem_info_gtt_used": GIB,
                "gpu_busy_percent": 63,
                "hwmon/hwmon2/temp1_input": 61_400,
                "hwmon/hwmon2/power1_average": 287_000_000,
            },
        )

    def open_file(
        self, pid: int, fd: int, *, target: str = "/dev/dri/renderD128", **drm: str
    ) -> None:
        """Give a process an open file; keywords are the keys of fdinfo, ``_`` for ``-``."""
        process = self.root / "proc" / str(pid)
        for name in ("fd", "fdinfo"):
            (process / name).mkdir(parents=True, exist_ok=True)
        (process / "fd" / str(fd)).symlink_to(target)
        lines = ["pos:\t0", "flags:\t02100002"]
        lines += [f"drm-{name.replace('_', '-')}:\t{value}" for name, value in drm.items()]
        (process / "fdinfo" / str(fd)).write_text("\n".join(lines) + "\n")


def write(folder: Path, files: Mapping[str, object]) -> None:
    for name, value in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{value}\n")
