from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .child import Child

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture(scope="package")
def gpu(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Child]:
    """Two simulated GPUs, shared by tests that leave nothing behind."""
    child = Child(tmp_path_factory.mktemp("ledgers"))
    yield child
    child.close()


@pytest.fixture
def ledgers(tmp_path: Path) -> Path:
    """The folder that the processes of one test share."""
    return tmp_path / "ledgers"


@pytest.fixture
def new_gpu(ledgers: Path) -> Iterator[Callable[..., Child]]:
    """Start processes that share two simulated GPUs."""
    children: list[Child] = []

    def start(**options: Any) -> Child:
        children.append(Child(ledgers, **options))
        return children[-1]

    yield start
    for child in children:
        child.close()


@pytest.fixture
def fresh_gpu(new_gpu: Callable[..., Child]) -> Child:
    """Two simulated GPUs that nobody has used."""
    return new_gpu()
