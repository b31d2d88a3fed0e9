"""Which cards there are, and what they say of themselves in sysfs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jupyterlab_gpumem.devices.provider import DeviceSample

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

AMD, INTEL, NVIDIA = "0x1002", "0x8086", "0x10de"
DISPLAY_CLASS = "0x03"
LARGEST_CARVE_OUT_BYTES = 2**30
"""A built-in AMD GPU with no more than this for itself computes in the system's memory."""


@dataclass(frozen=True)
class Card:
    """A card with memory that can be read; ``regions`` start the names of what counts as such."""

    vendor: str
    pci: str
    folder: Path
    node: Path
    is_built_in: bool
    regions: tuple[str, ...]

    def read(self, *, sensors: bool) -> DeviceSample:
        """Read memory and load; asking a sleeping card for its load would wake it."""
        if _text(self.folder / "power/runtime_status") == "suspended":
            return DeviceSample(state="asleep")
        total, used = self._amd() if self.vendor == AMD else self._intel()
        if total is None:
            return DeviceSample(state="error")
        fits = used is not None and used <= total
        return DeviceSample(
            total_bytes=total,
            used_bytes=used if fits else None,
            free_bytes=total - used if used is not None and fits else None,
            utilization_pct=_number(self.folder / "gpu_busy_percent"),
            temperature_c=_scaled(self._sensor("temp1_input"), 1000) if sensors else None,
            power_w=self._power() if sensors else None,
            state="ok" if fits or used is None else "partial",
        )

    def _amd(self) -> tuple[int | None, int | None]:
        names = ("vram", "gtt") if self.is_built_in else ("vram",)

        def add_up(what: str) -> int | None:
            return _sum(_number(self.folder / f"mem_info_{name}_{what}") for name in names)

        return add_up("total"), add_up("used")

    def _intel(self) -> tuple[int | None, int | None]:
        # What is used is told by few versions of the driver; the processes' own numbers remain.
        total = intel_total(self.folder, self.node)
        available = _number(self.node / "lmem_avail_bytes")
        return total, None if total is None or available is None else total - available

    def _power(self) -> float | None:
        microwatts = self._sensor("power1_average") or self._sensor("power1_input")
        return None if microwatts is None else microwatts / 1e6

    def _sensor(self, name: str) -> int | None:
        values = (_number(path) for path in sorted(self.folder.glob(f"hwmon/hwmon*/{name}")))
        return next((value for value in values if value is not None), None)


def find_cards(root: Path) -> list[Card]:
    """List the AMD and Intel cards that this machine, or this container, was given.

    A GPU that is built into the processor is left out where there is a card: nobody computes on it
    then.
    """
    nodes = (root / "sys/class/drm").glob("card*")
    cards = [card for node in nodes if (card := _card(root, node))]
    if any(card.is_built_in for card in cards):
        others = [card for card in cards if not card.is_built_in]
        if others or _has_nvidia(root):
            cards = others
    return sorted(cards, key=lambda card: card.pci)


def intel_total(folder: Path, node: Path) -> int | None:
    """Return the memory of an Intel card, ``None`` if it has none of its own."""
    tiles = sorted(folder.glob("tile*/physical_vram_size_bytes"))
    total = _sum(_number(tile) for tile in tiles) if tiles else _number(node / "lmem_total_bytes")
    return total or None


def _card(root: Path, node: Path) -> Card | None:
    """Return the card behind a node of sysfs, ``None`` if its memory cannot be read here."""
    if not re.fullmatch(r"card\d+", node.name):
        return None
    folder = (node / "device").resolve()
    vendor = _text(folder / "vendor")
    # sysfs shows all cards of the machine, also those that a container was not given.
    if not any((root / "dev/dri" / render.name).exists() for render in folder.glob("drm/render*")):
        return None
    if vendor == AMD and (vram := _number(folder / "mem_info_vram_total")):
        built_in = vram <= LARGEST_CARVE_OUT_BYTES
        regions = ("vram", "gtt") if built_in else ("vram",)
        return Card(vendor, folder.name, folder, node, built_in, regions)
    if vendor == INTEL and intel_total(folder, node):
        return Card(vendor, folder.name, folder, node, False, ("vram", "local"))
    return None


def _has_nvidia(root: Path) -> bool:
    return any(
        _text(folder / "vendor") == NVIDIA
        and (_text(folder / "class") or "").startswith(DISPLAY_CLASS)
        for folder in (root / "sys/bus/pci/devices").glob("*")
    )


def _text(path: Path) -> str | None:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return None


def _number(path: Path) -> int | None:
    text = _text(path)
    return int(text) if text and text.isdecimal() else None


def _scaled(value: int | None, divisor: int) -> int | None:
    return None if value is None else round(value / divisor)


def _sum(values: Iterable[int | None]) -> int | None:
    total = 0
    for value in values:
        if value is None:
            return None
        total += value
    return total
