from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.isolation import IsolatedProvider
from tests.nvml_standin import Scenario, Standin

from .reading import NOWHERE, Clock

if TYPE_CHECKING:
    from pathlib import Path

MakeDriver = Callable[..., Standin]


@pytest.fixture
def make_driver(tmp_path: Path) -> Iterator[MakeDriver]:
    """Make stand-in drivers; the latest one is what this process's ``pynvml`` talks to."""
    with ExitStack() as stack:
        made: list[Standin] = []

        def make(*, omit: tuple[str, ...] = ()) -> Standin:
            standin = Standin(tmp_path / f"driver-{len(made)}", omit=omit)
            stack.enter_context(standin.loaded())
            made.append(standin)
            return standin

        yield make
        for standin in made:
            # Lets go of threads that still wait in the driver.
            standin.play(Scenario())


@pytest.fixture
def driver(make_driver: MakeDriver) -> Standin:
    return make_driver()


@pytest.fixture
def far_driver(driver: Standin, monkeypatch: pytest.MonkeyPatch) -> Standin:
    """A driver for this process and for those that it starts."""
    for name, value in driver.env().items():
        monkeypatch.setenv(name, value)
    return driver


@pytest.fixture
def provider(far_driver: Standin, clock: Clock) -> Iterator[IsolatedProvider]:
    provider = IsolatedProvider(root=NOWHERE, sensors=True, clock=clock)
    yield provider
    far_driver.play(Scenario())
    provider.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()
