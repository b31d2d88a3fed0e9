"""Caches are cleared where there are some, and nothing is loaded for it."""

from __future__ import annotations

import functools
import sys
from types import ModuleType, SimpleNamespace

import pytest

from jupyterlab_gpumem.agent.caches import clear_function_caches, library_caches


def _load(monkeypatch: pytest.MonkeyPatch, name: str, **names: object) -> None:
    module = ModuleType(name)
    vars(module).update(names)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.parametrize(("compiled", "expected"), [([], False), (["a frame"], True)])
def test_the_compiler_is_only_reset_if_it_was_used(
    monkeypatch: pytest.MonkeyPatch, compiled: list[str], *, expected: bool
) -> None:
    _load(monkeypatch, "torch._dynamo", reset=list)
    codes = SimpleNamespace(seen=compiled)
    _load(monkeypatch, "torch._dynamo.convert_frame", input_codes=codes)
    assert ("reset_dynamo" in library_caches()) is expected


def test_a_library_that_is_loaded_has_its_caches_cleared(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "clear_jax_caches" not in library_caches()
    _load(monkeypatch, "jax", clear_caches=list)
    assert library_caches()["clear_jax_caches"] is list


@pytest.mark.parametrize(("is_built", "expected"), [(True, [1]), (False, [])])
def test_fourier_plans_are_cleared_where_there_is_a_context(
    monkeypatch: pytest.MonkeyPatch, *, is_built: bool, expected: list[int]
) -> None:
    cleared: list[int] = []
    plans = [SimpleNamespace(clear=functools.partial(cleared.append, n)) for n in range(2)]
    _load(monkeypatch, "torch.cuda", is_initialized=lambda: True, device_count=lambda: 2)
    _load(monkeypatch, "torch._C", _cuda_hasPrimaryContext=lambda index: index == 1)
    _load(monkeypatch, "torch.backends.cuda", cufft_plan_cache=plans, is_built=lambda: is_built)
    calls = library_caches()
    if "clear_cufft_plans" in calls:
        calls["clear_cufft_plans"]()
    assert cleared == expected


def test_only_caches_of_the_notebook_are_emptied() -> None:
    def value() -> object:
        return object()

    library = functools.lru_cache(value)
    value.__module__ = "__main__"
    notebook = functools.lru_cache(value)
    kept, dropped = library(), notebook()
    clear_function_caches()
    assert library() is kept
    assert notebook() is not dropped
