"""Segments of simulated memory and the blocks they are divided into."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .counters import Pool

MIB = 1 << 20
MIN_BLOCK = 512
SMALL_SIZE = MIB
SMALL_SEGMENT = 2 * MIB
MIN_LARGE_ALLOC = 10 * MIB
LARGE_SEGMENT = 20 * MIB
ROUND_LARGE = 2 * MIB


@dataclass(eq=False)
class Segment:
    """What one ``cudaMalloc`` returned."""

    address: int
    size: int
    pool: Pool


@dataclass(eq=False)
class Block:
    """A piece of a segment, in use or free."""

    segment: Segment
    address: int
    size: int
    requested: int | None = None
    before: Block | None = field(default=None, repr=False)
    after: Block | None = field(default=None, repr=False)

    @property
    def is_free(self) -> bool:
        """Whether it can be handed out."""
        return self.requested is None

    @property
    def is_split(self) -> bool:
        """Whether it shares its segment with other blocks."""
        return self.before is not None or self.after is not None


def segment_size(pool: Pool, size: int) -> int:
    """Return how much is taken from the driver for a block of this size."""
    if pool == "small_pool":
        return SMALL_SEGMENT
    if size < MIN_LARGE_ALLOC:
        return LARGE_SEGMENT
    return -(-size // ROUND_LARGE) * ROUND_LARGE


def describe(first: Block) -> dict[str, Any]:
    """Describe a segment by its first block, in the shape of ``torch.cuda.memory_snapshot``."""
    blocks: list[Block] = []
    block: Block | None = first
    while block is not None:
        blocks.append(block)
        block = block.after
    live = [b for b in blocks if not b.is_free]
    return {
        "address": first.segment.address,
        "total_size": first.segment.size,
        "segment_type": first.segment.pool.removesuffix("_pool"),
        "segment_pool_id": (0, 0),
        "stream": 0,
        "is_expandable": False,
        "allocated_size": sum(b.size for b in live),
        "active_size": sum(b.size for b in live),
        "requested_size": sum(b.requested or 0 for b in live),
        "frames": [],
        "blocks": [
            {
                "address": b.address,
                "size": b.size,
                "requested_size": b.requested or 0,
                "state": "inactive" if b.is_free else "active_allocated",
                "frames": [],
            }
            for b in blocks
        ],
    }
