"""PyTorch's caching allocator as figures: rounding, segments, splitting, coalescing, counters.

Pure bookkeeping without memory behind it and without torch. The numbers are those of
``CUDACachingAllocator.cpp``, one stream and no expandable segments.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING, Any

from .blocks import MIN_BLOCK, SMALL_SIZE, Block, Segment, describe, segment_size
from .counters import Counters

if TYPE_CHECKING:
    from collections.abc import Callable

    from .counters import Pool

FIRST_ADDRESS = 0x7F00_0000_0000


class OutOfDeviceMemory(Exception):
    """The device has no room for another segment, even without the cache."""

    def __init__(self, requested_bytes: int) -> None:
        super().__init__(f"no room for {requested_bytes} bytes")
        self.requested_bytes = requested_bytes


class Allocator:
    """Hand out blocks of a device's memory.

    ``room`` tells how many bytes the driver could still give; it is asked only when a new segment
    is needed.
    """

    def __init__(self, room: Callable[[], int]) -> None:
        self.counters = Counters()
        self._room = room
        self._live: dict[int, Block] = {}
        self._first: dict[int, Block] = {}  # segment address -> its first block
        self._free: dict[Pool, list[tuple[int, int]]] = {"small_pool": [], "large_pool": []}
        self._block_at: dict[int, Block] = {}
        self._next_address = FIRST_ADDRESS

    @property
    def allocated_bytes(self) -> int:
        """Bytes in live blocks."""
        return self.counters.current("allocated_bytes")

    @property
    def reserved_bytes(self) -> int:
        """Bytes taken from the driver."""
        return self.counters.current("reserved_bytes")

    def allocate(self, key: int, nbytes: int) -> None:
        """Take a block for ``key``; raises :class:`OutOfDeviceMemory`."""
        if nbytes == 0:
            return
        size = -(-nbytes // MIN_BLOCK) * MIN_BLOCK
        pool: Pool = "small_pool" if size <= SMALL_SIZE else "large_pool"
        block = self._best_fit(pool, size) or self._grow(pool, size, nbytes)
        self._forget_free(block)
        self._split(block, size)
        block.requested = nbytes
        self._live[key] = block
        self._count_block(block, 1)

    def release(self, key: int) -> None:
        """Put the block of ``key`` back into the cache; unknown keys had no bytes."""
        block = self._live.pop(key, None)
        if block is None:
            return
        self._count_block(block, -1)
        block.requested = None
        for neighbour in (block.before, block.after):
            if neighbour is not None and neighbour.is_free:
                self._forget_free(neighbour)
        self._remember_free(self._coalesce(block))

    def empty_cache(self) -> None:
        """Give whole free segments back to the driver."""
        whole = [b for b in self._first.values() if b.is_free and not b.is_split]
        for block in whole:
            self._forget_free(block)
            del self._first[block.segment.address], self._block_at[block.address]
            self._count_segment(block.segment, -1)

    def snapshot(self) -> list[dict[str, Any]]:
        """List segments and blocks in the shape of ``torch.cuda.memory_snapshot``."""
        return [describe(first) for _, first in sorted(self._first.items())]

    def _best_fit(self, pool: Pool, size: int) -> Block | None:
        free = self._free[pool]
        at = bisect_left(free, (size, 0))
        return self._block_at[free[at][1]] if at < len(free) else None

    def _grow(self, pool: Pool, size: int, nbytes: int) -> Block:
        needed = segment_size(pool, size)
        if needed > self._room():
            self.counters.num_alloc_retries += 1
            self.empty_cache()
            if needed > self._room():
                self.counters.num_ooms += 1
                raise OutOfDeviceMemory(nbytes)
        segment = Segment(self._next_address, needed, pool)
        self._next_address += needed
        block = Block(segment, segment.address, needed)
        self._first[segment.address] = block
        self._block_at[block.address] = block
        self._count_segment(segment, 1)
        self._remember_free(block)
        return block

    def _split(self, block: Block, size: int) -> None:
        rest = block.size - size
        small = block.segment.pool == "small_pool"
        if not (rest >= MIN_BLOCK if small else rest > SMALL_SIZE):
            return
        remainder = Block(block.segment, block.address + size, rest, None, block, block.after)
        if block.after is not None:
            block.after.before = remainder
        block.after = remainder
        block.size = size
        self._block_at[remainder.address] = remainder
        self._remember_free(remainder)

    def _coalesce(self, block: Block) -> Block:
        first = block.before if block.before is not None and block.before.is_free else block
        while first.after is not None and first.after.is_free:
            absorbed = first.after
            del self._block_at[absorbed.address]
            first.size += absorbed.size
            first.after = absorbed.after
            if absorbed.after is not None:
                absorbed.after.before = first
        return first

    def _remember_free(self, block: Block) -> None:
        insort(self._free[block.segment.pool], (block.size, block.address))
        self._count_inactive(block, 1)

    def _forget_free(self, block: Block) -> None:
        free = self._free[block.segment.pool]
        del free[bisect_left(free, (block.size, block.address))]
        self._count_inactive(block, -1)

    def _count_block(self, block: Block, sign: int) -> None:
        pool, count = block.segment.pool, self.counters.add
        for name in ("allocation", "active"):
            count(name, pool, sign)
        for name in ("allocated_bytes", "active_bytes"):
            count(name, pool, sign * block.size)
        count("requested_bytes", pool, sign * (block.requested or 0))

    def _count_inactive(self, block: Block, sign: int) -> None:
        if block.is_split:
            self.counters.add("inactive_split", block.segment.pool, sign)
            self.counters.add("inactive_split_bytes", block.segment.pool, sign * block.size)

    def _count_segment(self, segment: Segment, sign: int) -> None:
        self.counters.add("segment", segment.pool, sign)
        self.counters.add("reserved_bytes", segment.pool, sign * segment.size)
        self.counters.num_device_alloc += sign > 0
        self.counters.num_device_free += sign < 0
