"""Objects that get in the way of a scan: no failure, no side effect, and limits that hold."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING, Any

import pytest
import torch

from jupyterlab_gpumem.agent.allocators import Allocators
from jupyterlab_gpumem.agent.holders import holders
from tests.agent.notebook import Notebook
from tests.kernels import check_contract

if TYPE_CHECKING:
    from jupyterlab_gpumem.wire import Holder

MIB = 1 << 20


def mib(count: int = 1) -> torch.Tensor:
    return torch.ones(count * MIB // 4)


@pytest.fixture
def notebook() -> Notebook:
    gc.collect()
    return Notebook()


class Liar:
    """Claims to be a tensor, and answers to nothing without consequences."""

    touched: list[str] = []  # noqa: RUF012  shared on purpose

    def __init__(self, held: Any) -> None:
        object.__setattr__(self, "held", held)

    @property  # type: ignore[misc]  # this is the hostile part
    def __class__(self) -> Any:
        Liar.touched.append("__class__")
        return torch.Tensor

    def __getattribute__(self, name: str) -> Any:
        Liar.touched.append(name)
        raise SystemExit(name)

    def __repr__(self) -> str:
        Liar.touched.append("repr")
        return "x" * 10_000_000

    def __eq__(self, other: object) -> bool:
        Liar.touched.append("eq")
        raise SystemExit

    def __hash__(self) -> int:
        return 1


class Meta(type):
    """Makes classes that cannot be asked."""

    __hash__ = None  # type: ignore[assignment]  # this is the hostile part

    def __eq__(cls, other: object) -> Any:
        raise SystemExit("compared")

    def __getattribute__(cls, name: str) -> Any:
        raise SystemExit(name)


class MadeUp:
    """Makes its attributes up."""

    __slots__ = ("held",)

    @property
    def __dict__(self) -> Any:  # type: ignore[override]  # this is the hostile part
        raise SystemExit("asked")


def ask(notebook: Notebook) -> list[Holder]:
    """Return the variables that hold memory; other tests may have left more in the process."""
    found = holders(notebook.shell, Allocators(), limit=50, offset=0, limit_s=20)
    check_contract(found, "Holders")
    assert found["partial"] is False
    return [holder for holder in found["holders"] if holder["root"] == "variable"]


def test_foreign_objects_are_asked_for_nothing_and_what_they_hold_is_found(
    notebook: Notebook,
) -> None:
    odd = type.__call__(Meta, "Odd", (), {})
    made_up = MadeUp()
    made_up.held = mib(3)  # type: ignore[attr-defined]  # a slot
    notebook.names.update(liar=Liar(mib(2)), odd=type.__call__(odd), made_up=made_up)
    Liar.touched.clear()

    paths = {h["path"]: h["detail"] for h in ask(notebook)}

    assert Liar.touched == []
    assert paths["liar"].startswith("liar.held")
    assert paths["made_up"].startswith("made_up.held")


def test_keys_names_and_texts_of_any_kind_fit_the_contract(notebook: Notebook) -> None:
    markup = "<img src=x onerror=alert(1)>" * 40
    notebook.names.update(
        {
            "keys": {(1, 2): mib(), 3.5: mib(), None: mib(), Liar: mib(), markup: mib()},
            markup: mib(2),
            "\ud800": mib(2),
            7: mib(2),  # type: ignore[dict-item]  # this is the hostile part
            "": mib(2),
        }
    )
    found = ask(notebook)
    # The name that is no text is left out: nobody can have it in a notebook.
    assert sorted(h["reaches_bytes"] // MIB for h in found) == [2, 2, 2, 5]


def test_weak_proxies_that_died_and_containers_in_themselves_do_no_harm(
    notebook: Notebook,
) -> None:
    class Short:
        pass

    short = Short()
    loop: list[Any] = [mib()]
    loop.append({"loop": loop})
    notebook.names.update(proxy=weakref.proxy(short), loop=loop)
    del short
    gc.collect()
    assert [h["path"] for h in ask(notebook)] == ["loop"]


def test_an_object_that_comes_back_to_life_does_no_harm(notebook: Notebook) -> None:
    kept: list[Any] = []

    class Phoenix:
        def __init__(self) -> None:
            self.held = mib()

        def __del__(self) -> None:
            kept.append(self)

    notebook.names["phoenix"] = Phoenix()
    ask(notebook)
    assert kept == []
    del notebook.names["phoenix"]
    gc.collect()
    assert len(kept) == 1
    kept.clear()


def test_a_list_of_a_million_numbers_is_passed_over(notebook: Notebook) -> None:
    notebook.names.update(numbers=list(range(1_000_000)), x=mib())
    assert [h["path"] for h in ask(notebook)] == ["x"]
