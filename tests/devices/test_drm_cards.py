"""AMD and Intel cards, read from a made-up sysfs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.drm import DrmProvider
from jupyterlab_gpumem.devices.provider import DeviceSample

from .drm_tree import AMD, FIRST, GIB, INTEL, MIB, NVIDIA, SECOND, DrmTree, write
from .reading import read, refusal, sample_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KEY, KEY_2 = f"drm:{FIRST}", f"drm:{SECOND}"
APU = {
    "mem_info_vram_total": 512 * MIB,
    "mem_info_vram_used": 100 * MIB,
    "mem_info_gtt_total": 15 * GIB,
    "mem_info_gtt_used": 2 * GIB,
}


@pytest.fixture
def tree(tmp_path: Path) -> DrmTree:
    return DrmTree(tmp_path)


def test_without_such_a_card_the_provider_is_off(tree: DrmTree) -> None:
    assert refusal(DrmProvider(root=tree.root)).state == "off"


def test_an_amd_card_tells_its_memory_and_load(tree: DrmTree) -> None:
    tree.radeon()
    readings = read(DrmProvider(root=tree.root))
    info = readings[KEY].info
    assert (info.kind, info.index, info.pci) == ("dedicated", 0, FIRST)
    assert sample_of(readings, KEY) == DeviceSample(
        total_bytes=24 * GIB, used_bytes=5 * GIB, free_bytes=19 * GIB, utilization_pct=63
    )


def test_temperature_and_power_come_where_wanted(tree: DrmTree) -> None:
    tree.radeon()
    sample = sample_of(read(DrmProvider(root=tree.root, sensors=True)), KEY)
    assert (sample.temperature_c, sample.power_w) == (61, 287.0)


def test_figures_follow_the_driver_and_cards_come_and_go(tree: DrmTree) -> None:
    provider = DrmProvider(root=tree.root)
    folder = tree.radeon()
    read(provider)
    tree.radeon(1, SECOND)
    write(folder, {"mem_info_vram_used": 7 * GIB})
    readings = read(provider)
    assert list(readings) == [KEY, KEY_2]
    assert sample_of(readings, KEY).used_bytes == 7 * GIB


def test_an_intel_card_adds_its_tiles_up_and_cannot_say_what_is_used(tree: DrmTree) -> None:
    tiles = {f"tile{n}/physical_vram_size_bytes": 8 * GIB for n in range(2)}
    tree.card(0, FIRST, INTEL, tiles)
    sample = sample_of(read(DrmProvider(root=tree.root)), KEY)
    assert (sample.total_bytes, sample.used_bytes, sample.free_bytes) == (16 * GIB, None, None)
    assert sample.state == "ok"


def test_an_intel_card_with_the_other_driver_tells_what_is_free(tree: DrmTree) -> None:
    sizes = {"lmem_total_bytes": 16 * GIB, "lmem_avail_bytes": 13 * GIB}
    tree.card(0, FIRST, INTEL, {f"drm/card0/{name}": size for name, size in sizes.items()})
    sample = sample_of(read(DrmProvider(root=tree.root)), KEY)
    assert (sample.used_bytes, sample.free_bytes) == (3 * GIB, 13 * GIB)


def test_a_built_in_intel_gpu_is_left_out(tree: DrmTree) -> None:
    """Its memory is the machine's, and shown as that."""
    tree.card(0, FIRST, INTEL, {})
    assert refusal(DrmProvider(root=tree.root)).state == "off"


def test_a_built_in_amd_gpu_computes_in_the_systems_memory(tree: DrmTree) -> None:
    tree.card(0, FIRST, AMD, APU)
    readings = read(DrmProvider(root=tree.root))
    assert readings[KEY].info.kind == "unified"
    sample = sample_of(readings, KEY)
    assert (sample.total_bytes, sample.used_bytes) == (15 * GIB + 512 * MIB, 2 * GIB + 100 * MIB)


def test_a_built_in_gpu_beside_a_card_is_left_out(tree: DrmTree) -> None:
    tree.card(0, FIRST, AMD, APU)
    tree.radeon(1, SECOND)
    assert list(read(DrmProvider(root=tree.root))) == [KEY_2]


def test_nvidias_cards_are_left_to_nvml_and_count_as_cards(tree: DrmTree) -> None:
    tree.card(0, FIRST, NVIDIA, APU)
    tree.card(1, SECOND, AMD, APU)
    assert refusal(DrmProvider(root=tree.root)).state == "off"


def test_cards_that_a_container_was_not_given_are_left_out(tree: DrmTree) -> None:
    """sysfs shows those of the whole machine."""
    tree.radeon()
    tree.radeon(1, SECOND)
    (tree.root / "dev/dri/renderD128").unlink()
    assert list(read(DrmProvider(root=tree.root))) == [KEY_2]


def test_a_sleeping_card_is_not_asked(tree: DrmTree) -> None:
    folder = tree.radeon()
    write(folder, {"power/runtime_status": "suspended"})
    assert sample_of(read(DrmProvider(root=tree.root)), KEY) == DeviceSample(state="asleep")


def test_a_size_that_cannot_be_is_unknown(tree: DrmTree) -> None:
    tree.radeon(used=25 * GIB)
    sample = sample_of(read(DrmProvider(root=tree.root)), KEY)
    assert (sample.used_bytes, sample.free_bytes, sample.state) == (None, None, "partial")


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"product_name": "Radeon Pro W7900"}, "AMD Radeon Pro W7900"),
        ({"product_name": "AMD Instinct MI300X"}, "AMD Instinct MI300X"),
        ({}, "AMD Navi 31 [Radeon RX 7900 XTX]"),
        ({"device": "0x9999"}, "AMD GPU 9999"),
    ],
)
def test_a_card_has_a_name(tree: DrmTree, files: Mapping[str, object], name: str) -> None:
    ids = "1001  Other\n\t744c  Wrong\n1002  AMD\n\t744c  Navi 31 [Radeon RX 7900 XTX]\n\t\t1 x\n"
    write(tree.root / "usr/share/misc", {"pci.ids": ids + "8086  Intel\n\t9999  Wrong"})
    write(tree.radeon(), files)
    assert read(DrmProvider(root=tree.root))[KEY].info.name == name
