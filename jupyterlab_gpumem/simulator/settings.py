"""What the simulated hardware looks like, for kernels and servers alike."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

MIB = 1 << 20
GIB = 1 << 30
VARIABLE = "JUPYTERLAB_GPUMEM_SIMULATE"
DRIVER_RESERVE_BYTES = 400 * MIB
CONTEXT_BYTES = 420 * MIB
MOST_BYTES = 1024 * GIB
_UNITS = {"mib": MIB, "gib": GIB}
_FORM = re.compile(r"(\d+)x(\d+(?:\.\d+)?)(MiB|GiB)", re.IGNORECASE)


@dataclass(frozen=True)
class Hardware:
    """How many simulated GPUs there are and how large each is."""

    gpus: int = 1
    total_bytes: int = 24 * GIB

    def __post_init__(self) -> None:
        if not 1 <= self.gpus <= 16:
            raise ValueError(f"{self.gpus} simulated GPUs: use 1 to 16")
        if self.total_bytes < 2 * GIB:
            raise ValueError("a simulated GPU needs at least 2GiB, its driver and context take 0.8")
        if self.total_bytes > MOST_BYTES:
            raise ValueError(f"a simulated GPU has at most {MOST_BYTES // GIB}GiB")

    @property
    def name(self) -> str:
        """Product name, as shown."""
        return f"Simulated GPU {self.total_bytes / GIB:g} GiB"


def parse_hardware(text: str) -> Hardware:
    """Read ``<count>x<size>``, as in ``2x16GiB``; raises :class:`ValueError`."""
    match = _FORM.fullmatch(text.strip())
    if match is None:
        raise ValueError(
            f"cannot read {text!r}: write <count>x<size>, for example 1x24GiB or 2x16GiB"
        )
    count, size, unit = match.groups()
    return Hardware(int(count), int(float(size) * _UNITS[unit.lower()]))


def hardware_from_environment() -> Hardware | None:
    """Return what ``JUPYTERLAB_GPUMEM_SIMULATE`` asks for, ``None`` if it is not set."""
    text = os.environ.get(VARIABLE, "")
    if not text:
        return None
    try:
        return parse_hardware(text)
    except ValueError as error:
        raise ValueError(f"{VARIABLE}: {error}") from None


def uuid_of(index: int) -> str:
    """Return the uuid of a simulated GPU."""
    return f"sim-{index}"
