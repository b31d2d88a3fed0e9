"""Every place that keeps the last exception is emptied."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from jupyterlab_gpumem.agent.exceptions import release_exceptions, stored_exceptions

if TYPE_CHECKING:
    from collections.abc import Iterator


class Shell:
    """The two handlers of IPython, after an error, a syntax error and ``%debug``."""

    def __init__(self) -> None:
        self.InteractiveTB = SimpleNamespace(tb="a traceback", pdb="a debugger")
        self.SyntaxTB = SimpleNamespace(tb=None, last_syntax_error=SyntaxError("odd"))


@pytest.fixture(autouse=True)
def _last() -> Iterator[None]:
    names = vars(sys)
    before = {name: names.pop(name) for name in list(names) if name.startswith("last_")}
    names.update(last_type=ValueError, last_value=ValueError("a\nb"), last_traceback=None)
    yield
    for name in [n for n in names if n.startswith("last_")]:
        del names[name]
    names.update(before)


def test_all_holders_are_emptied() -> None:
    shell = Shell()
    release_exceptions(shell)
    assert [n for n in vars(sys) if n.startswith("last_")] == []
    assert vars(shell.InteractiveTB) == {"tb": None, "pdb": None}
    assert vars(shell.SyntaxTB) == {"tb": None, "last_syntax_error": None}


def test_each_exception_is_named_once_in_a_line() -> None:
    vars(sys)["last_exc"] = vars(sys)["last_value"]
    assert stored_exceptions(Shell()) == ["ValueError: a", "SyntaxError: odd"]


def test_a_traceback_without_its_exception_is_named() -> None:
    shell: Any = Shell()
    del sys.last_value
    shell.SyntaxTB.last_syntax_error = None
    assert stored_exceptions(shell) == ["traceback"]


def test_the_debugger_of_python_lets_go(monkeypatch: pytest.MonkeyPatch) -> None:
    import pdb

    monkeypatch.setattr(pdb.Pdb, "_last_pdb_instance", "a debugger", raising=False)
    release_exceptions(Shell())
    assert vars(pdb.Pdb)["_last_pdb_instance"] is None
