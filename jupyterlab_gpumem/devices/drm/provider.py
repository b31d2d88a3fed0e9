"""The provider that reads AMD and Intel GPUs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from jupyterlab_gpumem.devices.provider import DeviceInfo, ProcessEntry, ProviderUnavailable

from .cards import Card, find_cards
from .clients import Use, read_uses
from .names import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jupyterlab_gpumem.devices.provider import DeviceSample
    from jupyterlab_gpumem.wire import DeviceKind


class DrmProvider:
    """Read cards from sysfs, and the memory of the user's own processes from ``/proc``.

    ``root`` stands for ``/``. NVIDIA's cards are left to NVML. The process ids are ours to begin
    with, so that no namespace can make them a stranger's.
    """

    name = "drm"

    def __init__(
        self, *, root: Path = Path("/"), sensors: bool = False, uid: int | None = None
    ) -> None:
        self._root = root
        self._sensors = sensors
        self._uid = os.getuid() if uid is None and hasattr(os, "getuid") else uid
        self._cards: dict[str, Card] = {}
        self._names: dict[str, str] = {}
        self._uses: dict[str, dict[int, Use]] | None = None

    def open(self) -> None:
        """Nothing to get ready."""

    def close(self) -> None:
        """Nothing is held."""

    def devices(self) -> Sequence[DeviceInfo]:
        """List the cards; raises :class:`ProviderUnavailable` if there is none of these makers."""
        self._uses = None
        cards = find_cards(self._root)
        if not cards:
            raise ProviderUnavailable("off")
        infos = [self._info(index, card) for index, card in enumerate(cards)]
        self._cards = {info.key: card for info, card in zip(infos, cards, strict=True)}
        return infos

    def sample(self, device: DeviceInfo) -> DeviceSample:
        """Read memory and load."""
        return self._cards[device.key].read(sensors=self._sensors)

    def processes(self, device: DeviceInfo) -> Sequence[ProcessEntry] | None:
        """List the user's own processes; one look at them serves all cards."""
        if self._uid is None:
            return None
        if self._uses is None:
            self._uses = read_uses(self._root, uid=self._uid)
        card = self._cards[device.key]
        uses = self._uses.get(card.pci, {})
        return [
            ProcessEntry(pid, used, use.kind)
            for pid, use in uses.items()
            if (used := use.bytes_in(card.regions))
        ]

    def _info(self, index: int, card: Card) -> DeviceInfo:
        if card.pci not in self._names:
            self._names[card.pci] = name_of(card.vendor, card.folder, self._root)
        kind: DeviceKind = "unified" if card.is_built_in else "dedicated"
        return DeviceInfo(
            f"{self.name}:{card.pci}", kind, self._names[card.pci], index, pci=card.pci
        )
