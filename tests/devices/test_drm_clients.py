"""Who has memory on AMD and Intel cards, read from a made-up ``/proc``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.drm import DrmProvider
from jupyterlab_gpumem.devices.provider import ProcessEntry

from .drm_tree import AMD, FIRST, GIB, INTEL, MIB, SECOND, DrmTree
from .reading import processes_of, read

if TYPE_CHECKING:
    from pathlib import Path

KEY, KEY_2 = f"drm:{FIRST}", f"drm:{SECOND}"
MINE = {"pdev": FIRST, "client_id": "7"}


@pytest.fixture
def tree(tmp_path: Path) -> DrmTree:
    return DrmTree(tmp_path)


@pytest.fixture
def radeon(tree: DrmTree) -> DrmTree:
    tree.radeon()
    return tree


def processes(tree: DrmTree, key: str = KEY) -> tuple[ProcessEntry, ...] | None:
    return processes_of(read(DrmProvider(root=tree.root)), key)


def test_memory_on_the_card_counts_and_memory_beside_it_does_not(radeon: DrmTree) -> None:
    radeon.open_file(101, 5, **MINE, memory_vram="2048 KiB", memory_gtt="64 KiB")
    radeon.open_file(102, 3, pdev=FIRST, client_id="8", memory_gtt="64 KiB")
    assert processes(radeon) == (ProcessEntry(101, 2 * MIB),)


def test_a_file_opened_twice_or_shared_by_a_fork_counts_once(radeon: DrmTree) -> None:
    for pid, fd in ((101, 5), (101, 6), (102, 5)):
        radeon.open_file(pid, fd, **MINE, memory_vram="3 MiB")
    radeon.open_file(101, 10, pdev=FIRST, client_id="8", memory_vram="1 MiB")
    assert processes(radeon) == (ProcessEntry(101, 4 * MIB),)


def test_the_same_number_on_another_card_is_another_file(radeon: DrmTree) -> None:
    radeon.radeon(1, SECOND)
    radeon.open_file(101, 5, **MINE, memory_vram="3 MiB")
    radeon.open_file(101, 6, pdev=SECOND, client_id="7", memory_vram="4 MiB")
    assert processes(radeon, KEY) == (ProcessEntry(101, 3 * MIB),)
    assert processes(radeon, KEY_2) == (ProcessEntry(101, 4 * MIB),)


def test_what_is_resident_counts_before_other_names_for_it(radeon: DrmTree) -> None:
    sizes = {"total_vram": "9 MiB", "memory_vram": "5 MiB", "resident_vram": "5 MiB"}
    radeon.open_file(101, 5, **MINE, **sizes, shared_vram="1 MiB", purgeable_vram="1 MiB")
    radeon.open_file(102, 5, pdev=FIRST, client_id="8", total_vram="9 MiB")
    assert processes(radeon) == (ProcessEntry(101, 5 * MIB), ProcessEntry(102, 9 * MIB))


def test_regions_of_both_intel_drivers_are_known(tree: DrmTree) -> None:
    tree.card(0, FIRST, INTEL, {"tile0/physical_vram_size_bytes": 16 * GIB})
    xe = {"resident_vram0": "1 MiB", "resident_vram1": "2 MiB", "resident_stolen": "8 MiB"}
    tree.open_file(101, 5, **MINE, **xe, resident_system="8 MiB", cycles_ccs="5")
    i915 = {"resident_local0": "3 MiB", "resident_stolen_local0": "8 MiB"}
    tree.open_file(102, 5, pdev=FIRST, client_id="8", **i915, engine_render="12 ns")
    assert processes(tree) == (
        ProcessEntry(101, 3 * MIB, "compute"),
        ProcessEntry(102, 3 * MIB, "graphics"),
    )


def test_a_built_in_gpu_counts_the_systems_memory_too(tree: DrmTree) -> None:
    small = {"mem_info_vram_total": GIB, "mem_info_gtt_total": 15 * GIB}
    tree.card(0, FIRST, AMD, small)
    tree.open_file(101, 5, **MINE, memory_vram="1 MiB", memory_gtt="2 MiB", memory_cpu="4 MiB")
    assert processes(tree) == (ProcessEntry(101, 3 * MIB),)


def test_engines_tell_what_a_process_does_there(radeon: DrmTree) -> None:
    for pid, engines in (
        (1, {"engine_gfx": "5 ns", "engine_compute": "0 ns"}),
        (2, {"engine_gfx": "5 ns", "engine_compute": "7 ns"}),
        (3, {"engine_gfx": "0 ns"}),
    ):
        sizes = {"memory_vram": "1 MiB"}
        radeon.open_file(pid, 5, pdev=FIRST, client_id=str(pid), **sizes, **engines)
    assert [entry.kind for entry in processes(radeon) or ()] == ["graphics", "both", "compute"]


def test_processes_of_other_users_are_not_looked_at(radeon: DrmTree) -> None:
    radeon.open_file(101, 5, **MINE, memory_vram="2 MiB")
    someone_else = DrmProvider(root=radeon.root, uid=os.getuid() + 1)
    assert processes_of(read(someone_else), KEY) == ()


@pytest.mark.parametrize(
    "sizes",
    [
        {"memory_vram": "many KiB"},
        {"memory_vram": "5 parsecs"},
        {"memory_vram": "-5 KiB"},
        {},
    ],
)
def test_what_cannot_be_read_counts_as_nothing(radeon: DrmTree, sizes: dict[str, str]) -> None:
    radeon.open_file(101, 5, **MINE, **sizes)
    radeon.open_file(101, 6, memory_vram="1 MiB")
    radeon.open_file(101, 7, target="/dev/nvidia0", **MINE, memory_vram="1 MiB")
    assert processes(radeon) == ()


def test_a_process_that_ends_while_it_is_looked_at_is_left_out(radeon: DrmTree) -> None:
    radeon.open_file(101, 5, **MINE, memory_vram="2 MiB")
    radeon.open_file(102, 5, pdev=FIRST, client_id="8", memory_vram="2 MiB")
    (radeon.root / "proc/101/fdinfo/5").unlink()
    assert processes(radeon) == (ProcessEntry(102, 2 * MIB),)


def test_one_look_at_the_processes_serves_all_cards_and_the_next_sees_changes(
    radeon: DrmTree,
) -> None:
    provider = DrmProvider(root=radeon.root)
    assert processes_of(read(provider), KEY) == ()
    radeon.open_file(101, 5, **MINE, memory_vram="2 MiB")
    [device] = provider.devices()
    assert list(provider.processes(device) or ()) == [ProcessEntry(101, 2 * MIB)]
    radeon.open_file(102, 5, pdev=FIRST, client_id="8", memory_vram="2 MiB")
    assert list(provider.processes(device) or ()) == [ProcessEntry(101, 2 * MIB)]
