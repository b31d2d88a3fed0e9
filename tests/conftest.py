"""Kernels that several tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .environments import Environment, current, previous
from .kernels import Kernel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ENVIRONMENTS = {"ipykernel7": current, "ipykernel6": previous}


@pytest.fixture(scope="session", params=list(ENVIRONMENTS))
def environment(request: pytest.FixtureRequest) -> Environment:
    """Each of the two pairs of ipykernel and IPython that we stand for."""
    return ENVIRONMENTS[request.param]()


@pytest.fixture
def fresh_kernel(environment: Environment, tmp_path: Path) -> Iterator[Kernel]:
    """A kernel that nobody has used."""
    kernel = Kernel(environment, tmp_path)
    yield kernel
    kernel.close()


@pytest.fixture(scope="module")
def kernel(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """A kernel with the agent and without torch, shared by the tests of a module."""
    kernel = Kernel(environment, tmp_path_factory.mktemp("kernel"))
    kernel.attach()
    yield kernel
    kernel.close()


@pytest.fixture(scope="module")
def torch_kernel(
    environment: Environment, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Kernel]:
    """A kernel with the agent and torch, shared by the tests of a module."""
    kernel = Kernel(environment, tmp_path_factory.mktemp("torch_kernel"))
    kernel.attach()
    kernel.run("import torch")
    yield kernel
    kernel.close()
