from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.catalog import PROVIDERS, make_providers
from jupyterlab_gpumem.devices.drm import DrmProvider
from jupyterlab_gpumem.devices.host import HostProvider
from jupyterlab_gpumem.devices.isolation import IsolatedProvider
from jupyterlab_gpumem.devices.nvml import NvmlProvider
from jupyterlab_gpumem.devices.simulated import SimulatedProvider
from tests.nvml_standin import Gpu, Scenario, Standin

from .reading import A, read

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jupyterlab_gpumem.devices.provider import Provider


def make(
    names: Sequence[str] = PROVIDERS, *, isolate: bool = True, sensors: bool = False
) -> list[Provider]:
    log = logging.getLogger("catalog")
    return make_providers(
        names, isolate_nvml=isolate, read_sensors=sensors, simulate="1x8GiB", log=log
    )


def test_providers_are_made_in_the_order_of_the_setting() -> None:
    kinds = [NvmlProvider, DrmProvider, SimulatedProvider, HostProvider]
    assert [type(provider) for provider in make(isolate=False)] == kinds
    assert [provider.name for provider in make(("host", "nvml"))] == ["host", "nvml"]


@pytest.mark.parametrize("isolate", [True, False])
@pytest.mark.parametrize("sensors", [True, False])
def test_nvml_is_read_where_and_as_the_settings_say(
    far_driver: Standin, isolate: bool, sensors: bool
) -> None:
    far_driver.play(Scenario(gpus=[Gpu(A, temperature_c=61)]))
    [provider] = make(("nvml",), isolate=isolate, sensors=sensors)
    assert isinstance(provider, IsolatedProvider) is isolate
    provider.open()
    [reading] = read(provider).values()
    provider.close()
    assert reading.sample
    assert reading.sample.temperature_c == (61 if sensors else None)
