"""What a card is called: its own word for it, or the system's list of all devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import AMD

if TYPE_CHECKING:
    from pathlib import Path

LISTS = ("usr/share/misc/pci.ids", "usr/share/hwdata/pci.ids")


def name_of(vendor: str, folder: Path, root: Path) -> str:
    """Return the name to show for a card."""
    maker = "AMD" if vendor == AMD else "Intel"
    own = _read(folder / "product_name")
    if own:
        return own if own.startswith(maker) else f"{maker} {own}"
    device = _read(folder / "device").removeprefix("0x")
    listed = _listed_name(vendor.removeprefix("0x"), device, root)
    return f"{maker} {listed}" if listed else f"{maker} GPU {device}".strip()


def _listed_name(vendor: str, device: str, root: Path) -> str | None:
    """Find the device in the list: its lines are indented below that of its maker."""
    for path in LISTS:
        inside = False
        for line in _read(root / path).splitlines():
            if line.startswith(vendor):
                inside = True
            elif inside and line and not line.startswith(("\t", "#")):
                break
            elif inside and device and line.startswith(f"\t{device} "):
                return line.strip().removeprefix(device).strip()
    return None


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
