from __future__ import annotations

import pytest

from jupyterlab_gpumem.simulator import Hardware, parse_hardware
from jupyterlab_gpumem.simulator.settings import VARIABLE, hardware_from_environment

GIB = 1 << 30


@pytest.mark.parametrize(
    ("text", "gpus", "total_bytes"),
    [
        ("1x24GiB", 1, 24 * GIB),
        (" 2x16GiB ", 2, 16 * GIB),
        ("4x4096MiB", 4, 4 * GIB),
        ("1x2.5GiB", 1, 5 * GIB // 2),
        ("1X24gib", 1, 24 * GIB),
    ],
)
def test_hardware_is_written_as_count_times_size(text: str, gpus: int, total_bytes: int) -> None:
    assert parse_hardware(text) == Hardware(gpus, total_bytes)


@pytest.mark.parametrize(
    "text", ["yes", "24GiB", "0x24GiB", "17x24GiB", "1x24GB", "1x1GiB", "-1x8GiB", "1x99999GiB"]
)
def test_nonsense_is_refused_with_the_name_of_the_variable(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(ValueError, match=VARIABLE):
        hardware_from_environment()


def test_without_the_variable_nothing_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert hardware_from_environment() is None
