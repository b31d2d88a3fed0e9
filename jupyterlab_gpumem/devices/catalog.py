"""All providers by name, made as the settings want them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..simulator.settings import hardware_from_environment, parse_hardware
from .drm import DrmProvider
from .host import HostProvider
from .isolation import IsolatedProvider
from .nvml import NvmlProvider
from .simulated import SimulatedProvider

if TYPE_CHECKING:
    from collections.abc import Sequence
    from logging import Logger

    from .provider import Provider

PROVIDERS = ("nvml", "drm", "simulated", "host")


def make_providers(
    names: Sequence[str], *, isolate_nvml: bool, read_sensors: bool, simulate: str, log: Logger
) -> list[Provider]:
    """Make the providers in the order of ``names``; nothing is opened yet.

    ``simulate`` names simulated GPUs as ``COUNTxSIZE``; if empty, the environment does.
    """
    nvml = IsolatedProvider if isolate_nvml else NvmlProvider
    made: dict[str, Provider] = {
        "nvml": nvml(sensors=read_sensors),
        "drm": DrmProvider(sensors=read_sensors),
        "simulated": _simulated(simulate, log),
        "host": HostProvider(),
    }
    return [made[name] for name in names]


def _simulated(simulate: str, log: Logger) -> SimulatedProvider:
    try:
        hardware = parse_hardware(simulate) if simulate else hardware_from_environment()
    except ValueError as error:
        # A typing error in the environment must not cost the user the real figures.
        log.error("No GPU is simulated: %s", error)
        hardware = None
    if hardware is None:
        return SimulatedProvider()
    return SimulatedProvider(gpus=hardware.gpus, total_bytes=hardware.total_bytes)
