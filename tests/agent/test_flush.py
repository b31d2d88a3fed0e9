"""Unused memory goes back to the driver, in the order that lets most of it go."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from jupyterlab_gpumem.agent.flush import flush, reset_peaks
from jupyterlab_gpumem.agent.steps import Steps

if TYPE_CHECKING:
    import pytest


class Cuda(ModuleType):
    """Two devices, a context on the second, and a list of what was called."""

    def __init__(self, *, started: bool) -> None:
        super().__init__("torch.cuda")
        self.calls: list[Any] = []
        self._started = started

    def is_initialized(self) -> bool:
        return self._started

    def device_count(self) -> int:
        return 2

    def synchronize(self, index: int) -> None:
        self.calls.append(("synchronize", index))

    def empty_cache(self) -> None:
        self.calls.append("empty_cache")

    def ipc_collect(self) -> None:
        self.calls.append("ipc_collect")

    def reset_peak_memory_stats(self, index: int) -> None:
        self.calls.append(("reset_peak_memory_stats", index))


def _load(monkeypatch: pytest.MonkeyPatch, cuda: Cuda) -> None:
    torch, core = ModuleType("torch"), ModuleType("torch._C")
    vars(torch)["clear_autocast_cache"] = lambda: cuda.calls.append("clear_autocast_cache")
    vars(core)["_cuda_hasPrimaryContext"] = lambda index: index == 1
    vars(core)["_cuda_clearCublasWorkspaces"] = lambda: cuda.calls.append("clear_workspaces")
    for module in (torch, core, cuda):
        monkeypatch.setitem(sys.modules, module.__name__, module)


def test_work_spaces_go_before_the_cache_and_no_context_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cuda = Cuda(started=True)
    _load(monkeypatch, cuda)
    steps = Steps()
    flush(steps)
    assert cuda.calls == [
        "clear_autocast_cache",
        ("synchronize", 1),
        "clear_workspaces",
        "empty_cache",
        "ipc_collect",
        "empty_cache",
    ]
    assert [s["error"] for s in steps.done] == [None] * len(steps.done)


def test_cuda_that_was_never_started_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = Cuda(started=False)
    _load(monkeypatch, cuda)
    flush(Steps())
    assert cuda.calls == ["clear_autocast_cache"]


def test_a_device_that_fails_does_not_stop_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    class Asserted(Cuda):
        def synchronize(self, index: int) -> None:
            raise RuntimeError("device-side assert triggered")

    cuda = Asserted(started=True)
    _load(monkeypatch, cuda)
    steps = Steps()
    flush(steps)
    errors = {s["name"]: s["error"] for s in steps.done if s["error"]}
    assert errors == {"synchronize": "RuntimeError: device-side assert triggered"}
    assert cuda.calls.count("empty_cache") == 2


def test_peaks_start_anew_where_there_is_a_context(monkeypatch: pytest.MonkeyPatch) -> None:
    cuda = Cuda(started=True)
    _load(monkeypatch, cuda)
    reset_peaks()
    assert cuda.calls == [("reset_peak_memory_stats", 1)]
