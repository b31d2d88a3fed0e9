from __future__ import annotations

import random
from itertools import pairwise

import pytest

from jupyterlab_gpumem.simulator.allocator import Allocator, OutOfDeviceMemory

KIB, MIB = 1 << 10, 1 << 20


class Card:
    """A device with a fixed amount of memory."""

    def __init__(self, total_bytes: int = 1 << 40) -> None:
        self.total_bytes = total_bytes
        self.allocator = Allocator(self.room)

    def room(self) -> int:
        return self.total_bytes - self.allocator.reserved_bytes

    def current(self, name: str) -> int:
        return self.allocator.counters.current(name)


@pytest.fixture
def card() -> Card:
    return Card()


@pytest.mark.parametrize(
    ("nbytes", "allocated", "reserved"),
    [
        (1, 512, 2 * MIB),
        (513, 1024, 2 * MIB),
        (MIB, MIB, 2 * MIB),
        (MIB + 1, MIB + 512, 20 * MIB),
        (10 * MIB - 512, 10 * MIB - 512, 20 * MIB),
        (10 * MIB, 10 * MIB, 10 * MIB),
        (11 * MIB, 11 * MIB, 12 * MIB),
        # What is left of a large segment stays with the block unless it is more than 1 MiB.
        (19 * MIB, 19 * MIB, 20 * MIB),
    ],
)
def test_sizes_are_rounded_as_in_pytorch(
    card: Card, nbytes: int, allocated: int, reserved: int
) -> None:
    card.allocator.allocate(1, nbytes)
    assert card.current("requested_bytes") == nbytes
    assert card.allocator.reserved_bytes == reserved
    expected = reserved if reserved - allocated <= MIB and nbytes > MIB else allocated
    assert card.allocator.allocated_bytes == expected


def test_nothing_is_taken_for_an_empty_tensor(card: Card) -> None:
    card.allocator.allocate(1, 0)
    card.allocator.release(1)
    assert card.allocator.reserved_bytes == 0
    assert card.current("allocation") == 0


def test_the_smallest_block_that_fits_is_taken(card: Card) -> None:
    for key, size in ((1, 64 * MIB), (2, 32 * MIB), (3, 128 * MIB)):
        card.allocator.allocate(key, size)
    for key in (1, 2, 3):
        card.allocator.release(key)
    card.allocator.allocate(4, 30 * MIB)
    free = [s["total_size"] for s in card.allocator.snapshot() if s["allocated_size"] == 0]
    assert sorted(free) == [64 * MIB, 128 * MIB]


def test_what_is_left_of_a_split_segment_is_inactive_until_neighbours_join(card: Card) -> None:
    card.allocator.allocate(1, 4 * MIB)
    card.allocator.allocate(2, 4 * MIB)
    card.allocator.allocate(3, 4 * MIB)
    assert card.current("inactive_split_bytes") == 8 * MIB
    card.allocator.release(2)
    assert card.current("inactive_split") == 2
    assert card.current("inactive_split_bytes") == 12 * MIB
    card.allocator.empty_cache()
    assert card.allocator.reserved_bytes == 20 * MIB
    card.allocator.release(1)
    card.allocator.release(3)
    assert card.current("inactive_split_bytes") == 0
    card.allocator.empty_cache()
    assert card.allocator.reserved_bytes == 0


def test_a_full_card_gives_up_its_cache_before_it_refuses() -> None:
    card = Card(100 * MIB)
    card.allocator.allocate(1, 60 * MIB)
    card.allocator.release(1)
    card.allocator.allocate(2, 90 * MIB)
    assert card.allocator.reserved_bytes == 90 * MIB
    counters = card.allocator.counters
    assert (counters.num_alloc_retries, counters.num_ooms) == (1, 0)
    with pytest.raises(OutOfDeviceMemory) as refusal:
        card.allocator.allocate(3, 20 * MIB)
    assert refusal.value.requested_bytes == 20 * MIB
    assert (counters.num_alloc_retries, counters.num_ooms) == (2, 1)
    assert card.allocator.allocated_bytes == 90 * MIB


def test_peaks_stay_until_they_are_reset(card: Card) -> None:
    card.allocator.allocate(1, 32 * MIB)
    card.allocator.release(1)
    figure = card.allocator.counters.nested()["allocated_bytes"]["all"]
    assert (figure["current"], figure["peak"], figure["freed"]) == (0, 32 * MIB, 32 * MIB)
    card.allocator.counters.reset_peaks()
    assert card.allocator.counters.nested()["allocated_bytes"]["all"]["peak"] == 0


@pytest.mark.parametrize("seed", range(5))
def test_sums_hold_on_a_random_walk(seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311  no secret
    card = Card(512 * MIB)
    live: dict[int, int] = {}
    for key in range(1500):
        if live and dice.random() < 0.48:
            gone = dice.choice(list(live))
            card.allocator.release(gone)
            del live[gone]
        elif dice.random() < 0.02:
            card.allocator.empty_cache()
        else:
            nbytes = int(2 ** dice.uniform(0, 25))
            try:
                card.allocator.allocate(key, nbytes)
            except OutOfDeviceMemory:
                continue
            live[key] = nbytes
        assert_consistent(card, live)
    for key in live:
        card.allocator.release(key)
    card.allocator.empty_cache()
    assert card.allocator.snapshot() == []
    assert all(card.current(name) == 0 for name in ("reserved_bytes", "inactive_split", "segment"))


def assert_consistent(card: Card, live: dict[int, int]) -> None:
    segments = card.allocator.snapshot()
    blocks = [b for s in segments for b in s["blocks"]]
    used = [b for b in blocks if b["state"] == "active_allocated"]
    assert card.current("allocation") == len(live) == len(used)
    assert card.current("requested_bytes") == sum(live.values())
    assert card.allocator.allocated_bytes == sum(b["size"] for b in used)
    assert card.allocator.reserved_bytes == sum(s["total_size"] for s in segments)
    assert card.allocator.reserved_bytes <= card.total_bytes
    inactive = 0
    for segment in segments:
        address = segment["address"]
        states = [b["state"] for b in segment["blocks"]]
        for block in segment["blocks"]:
            assert block["address"] == address
            address += block["size"]
            if len(states) > 1 and block["state"] == "inactive":
                inactive += block["size"]
        assert address == segment["address"] + segment["total_size"]
        neighbours = pairwise(states)
        assert ("inactive", "inactive") not in list(neighbours)
    assert card.current("inactive_split_bytes") == inactive
