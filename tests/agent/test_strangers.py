"""Finding tensor memory among objects and simulators that get in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from jupyterlab_gpumem.agent.storages import Held, count, find_storages
from tests.agent.test_storages import MIB, Grown, mib

if TYPE_CHECKING:
    from collections.abc import Iterator


class Liar:
    """Claims to be a tensor, and has no other good answer."""

    @property  # type: ignore[misc]  # this is the hostile part
    def __class__(self) -> Any:
        return torch.Tensor

    def __getattr__(self, name: str) -> Any:
        raise SystemExit(name)


class Unhashable(type):
    """Makes classes that cannot be keys."""

    __hash__ = None  # type: ignore[assignment]  # this is the hostile part

    def __eq__(cls, other: object) -> Any:
        raise SystemExit("compared")


def test_foreign_objects_are_asked_for_nothing_but_their_type() -> None:
    grown = Grown()

    class Odd(metaclass=Unhashable):
        pass

    class Tensor(torch.Tensor):
        @property
        def is_cuda(self) -> Any:  # type: ignore[override]  # this is the hostile part
            raise SystemExit("asked")

        @classmethod
        def __torch_function__(cls, *_: Any) -> Any:
            raise SystemExit("called")

    odd = [Liar(), Odd(), mib().as_subclass(Tensor)]
    assert grown.bytes == MIB
    del odd


@pytest.fixture
def tagging(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[int]]:
    """A simulated GPU: tagged storages, a property over the tag, and a mode that sees all calls."""
    tagged: set[int] = set()

    class Mode(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch has no annotation here
        def __torch_dispatch__(self, func: Any, _: Any, args: Any = (), kwargs: Any = None) -> Any:
            return func(*args, **(kwargs or {}))

    monkeypatch.setattr(
        torch.Tensor,
        "is_cuda",
        property(lambda tensor: tensor.untyped_storage()._cdata in tagged),
        raising=False,
    )
    with Mode():  # type: ignore[no-untyped-call]  # torch has no annotation here
        yield tagged


def test_what_a_simulator_tags_counts_as_gpu_memory(tagging: set[int]) -> None:
    before = find_storages()
    assert before is not None
    start = count(before, alive=True)
    tensor, parameter = mib(), torch.nn.Parameter(mib(2))
    tagging.update({tensor.untyped_storage()._cdata, parameter.untyped_storage()._cdata})
    found = find_storages()
    assert found is not None
    del tensor, parameter
    assert count(found, alive=False) == Held(gpu_bytes=3 * MIB, host_bytes=0)
    assert count(found, alive=True) == start
