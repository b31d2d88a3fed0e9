"""The allocator's counters, in the shape of ``torch.cuda.memory_stats_as_nested_dict``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Pool = Literal["small_pool", "large_pool"]
NAMES = (
    "allocation",
    "segment",
    "active",
    "inactive_split",
    "allocated_bytes",
    "reserved_bytes",
    "active_bytes",
    "inactive_split_bytes",
    "requested_bytes",
)
POOLS = ("all", "small_pool", "large_pool")


@dataclass
class Figure:
    """One counter with its history."""

    current: int = 0
    peak: int = 0
    allocated: int = 0
    freed: int = 0

    def add(self, change: int) -> None:
        """Go up or down."""
        self.current += change
        self.peak = max(self.peak, self.current)
        if change > 0:
            self.allocated += change
        else:
            self.freed -= change


class Counters:
    """All figures of one device."""

    def __init__(self) -> None:
        self._figures = {name: {pool: Figure() for pool in POOLS} for name in NAMES}
        self.num_alloc_retries = 0
        self.num_ooms = 0
        self.num_device_alloc = 0
        self.num_device_free = 0

    def add(self, name: str, pool: Pool, change: int) -> None:
        """Change a figure of a pool and of all pools together."""
        self._figures[name]["all"].add(change)
        self._figures[name][pool].add(change)

    def current(self, name: str) -> int:
        """Return a figure of all pools."""
        return self._figures[name]["all"].current

    def reset_peaks(self) -> None:
        """Let the peaks start from now."""
        for figure in self._all():
            figure.peak = figure.current

    def reset_sums(self) -> None:
        """Let the sums and the event counters start from now."""
        for figure in self._all():
            figure.allocated = figure.freed = 0
        self.num_alloc_retries = self.num_ooms = 0

    def nested(self) -> dict[str, Any]:
        """Return every figure under torch's names."""
        stats: dict[str, Any] = {
            name: {pool: asdict(figure) for pool, figure in pools.items()}
            for name, pools in self._figures.items()
        }
        for unused in ("oversize_allocations", "oversize_segments"):
            stats[unused] = asdict(Figure())
        return stats | {
            "num_alloc_retries": self.num_alloc_retries,
            "num_ooms": self.num_ooms,
            "num_device_alloc": self.num_device_alloc,
            "num_device_free": self.num_device_free,
            "num_sync_all_streams": 0,
            "max_split_size": -1,
        }

    def _all(self) -> list[Figure]:
        return [figure for pools in self._figures.values() for figure in pools.values()]
