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
    yield
    for name in [n for n in names if n.startswith("last_")]:
        del names[name]


def _fail() -> None:
    # In the test itself, since pytest clears these before it.
    error = ValueError("a\nb")
    vars(sys).update(last_exc=error, last_type=ValueError, last_value=error, last_traceback=None)


def test_all_holders_are_emptied() -> None:
    _fail()
    shell = Shell()
    release_exceptions(shell)
    assert [n for n in vars(sys) if n.startswith("last_")] == []
    assert vars(shell.InteractiveTB) == {"tb": None, "pdb": None}
    assert vars(shell.SyntaxTB) == {"tb": None, "last_syntax_error": None}


def test_each_exception_is_named_once_in_a_line() -> None:
    _fail()
    assert stored_exceptions(Shell()) == ["ValueError: a", "SyntaxError: odd"]


def test_a_traceback_without_its_exception_is_named() -> None:
    shell: Any = Shell()
    shell.SyntaxTB.last_syntax_error = None
    assert stored_exceptions(shell) == ["traceback"]


def test_the_debugger_of_python_lets_go(monkeypatch: pytest.MonkeyPatch) -> None:
    import pdb

    monkeypatch.setattr(pdb.Pdb, "_last_pdb_instance", "a debugger", raising=False)
    release_exceptions(Shell())
    assert vars(pdb.Pdb)["_last_pdb_instance"] is None
