"""Reads a provider once, without threads, and a clock that only moves when told to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.nvml import NvmlProvider
from jupyterlab_gpumem.devices.provider import DeviceReading, ProviderUnavailable

if TYPE_CHECKING:
    from jupyterlab_gpumem.devices.provider import DeviceSample, ProcessEntry, Provider

A = "GPU-AAAA0000-1111-2222-3333-444444444444"
B = "GPU-BBBB0000-1111-2222-3333-444444444444"
KEY_A = "nvml:aaaa0000-1111-2222-3333-444444444444"
KEY_B = "nvml:bbbb0000-1111-2222-3333-444444444444"
NOWHERE = Path("/nonexistent")
"""A root without any file that could tell about this machine."""


class Clock:
    """Time that stands still until somebody moves it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def read(provider: Provider) -> dict[str, DeviceReading]:
    """Read all devices of an open provider."""
    return {
        info.key: DeviceReading(
            info,
            provider.sample(info),
            processes=None if (found := provider.processes(info)) is None else tuple(found),
        )
        for info in provider.devices()
    }


def opened(clock: Clock | None = None, *, root: Path = NOWHERE) -> NvmlProvider:
    provider = NvmlProvider(root=root, clock=clock or Clock())
    provider.open()
    return provider


def refusal(provider: Provider) -> ProviderUnavailable:
    """Return why the provider cannot serve."""
    try:
        provider.open()
        read(provider)
    except ProviderUnavailable as refused:
        return refused
    finally:
        provider.close()
    pytest.fail("the provider serves")


def sample_of(readings: dict[str, DeviceReading], key: str = KEY_A) -> DeviceSample:
    sample = readings[key].sample
    assert sample is not None
    return sample


def processes_of(
    readings: dict[str, DeviceReading], key: str = KEY_A
) -> tuple[ProcessEntry, ...] | None:
    return readings[key].processes
