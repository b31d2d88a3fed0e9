"""Who has memory on a card, by what the drivers write about each open file of a process.

The format is the kernel's own, documented as "DRM client usage stats".
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jupyterlab_gpumem.wire import ProcessKind

DRM_NODES = "/dev/dri/"
UNITS = {"": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
SIZES = ("drm-resident-", "drm-memory-", "drm-total-")
"""Names for the size of a region, the best first: drivers write some or all of them."""
COMPUTE, GRAPHICS = frozenset({"compute", "ccs"}), frozenset({"gfx", "render", "rcs"})


@dataclass
class Use:
    """What a process has on a card, by region, and the engines that it has used."""

    sizes: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    engines: set[str] = field(default_factory=set)

    def bytes_in(self, regions: tuple[str, ...]) -> int:
        """Return the memory in regions whose names start so; one card may have several of each."""
        return sum(size for region, size in self.sizes.items() if region.startswith(regions))

    @property
    def kind(self) -> ProcessKind:
        """What the process does there; AMD's computing leaves no trace in the engines."""
        if not self.engines & GRAPHICS:
            return "compute"
        return "both" if self.engines & COMPUTE else "graphics"


def read_uses(root: Path, *, uid: int) -> dict[str, dict[int, Use]]:
    """Return the use of each card, by its bus address, and each process of the user.

    A file that several processes have open, as after a fork, counts for the first of them.
    """
    uses: dict[str, dict[int, Use]] = defaultdict(lambda: defaultdict(Use))
    counted = set()
    for pid in sorted(_own(root / "proc", uid)):
        for fields in _open_files(root / "proc" / str(pid)):
            client = (fields.get("drm-pdev"), fields.get("drm-client-id"))
            if None in client or client in counted:
                continue
            counted.add(client)
            _add(uses[fields["drm-pdev"]][pid], fields)
    return uses


def _own(proc: Path, uid: int) -> Iterator[int]:
    try:
        names = os.listdir(proc)
    except OSError:
        return
    for name in names:
        try:
            if name.isdecimal() and os.stat(proc / name).st_uid == uid:
                yield int(name)
        except OSError:
            continue


def _open_files(process: Path) -> Iterator[dict[str, str]]:
    """Yield what is written about the graphics files that a process has open."""
    try:
        numbers = os.listdir(process / "fd")
    except OSError:
        return
    for number in sorted(numbers, key=int):
        try:
            if os.readlink(process / "fd" / number).startswith(DRM_NODES):
                text = (process / "fdinfo" / number).read_text(errors="replace")
                yield dict(_fields(text))
        except OSError:
            # Closed in between, or the process has ended.
            continue


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if colon and name.startswith("drm-"):
            yield name, value.strip()


def _add(use: Use, fields: dict[str, str]) -> None:
    regions = {
        name.removeprefix(size) for name in fields for size in SIZES if name.startswith(size)
    }
    for region in regions:
        sizes = (_size(fields[size + region]) for size in SIZES if size + region in fields)
        use.sizes[region] += next((size for size in sizes if size is not None), 0)
    for name, value in fields.items():
        for prefix in ("drm-engine-", "drm-cycles-"):
            if name.startswith(prefix) and value.split(" ")[0] not in ("0", ""):
                use.engines.add(name.removeprefix(prefix))


def _size(text: str) -> int | None:
    number, _, unit = text.partition(" ")
    return int(number) * UNITS[unit] if number.isdecimal() and unit in UNITS else None
