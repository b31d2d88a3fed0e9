"""The arrows between the parts of the package, read from the source and from clean interpreters."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = "jupyterlab_gpumem"
ROOT = Path(__file__).resolve().parent.parent / PACKAGE

# What a part may import of ours, beside itself. The first name that matches counts.
ARROWS: dict[str, tuple[str, ...]] = {
    "wire": (),
    "errors": ("wire",),
    "agent": ("wire",),
    # What simulated GPUs are and hold: written by kernels, read by the server. No torch in it.
    "simulator.settings": (),
    "simulator.ledger": ("simulator.settings",),
    "simulator": ("wire",),
    "devices": ("wire", "simulator.settings", "simulator.ledger"),
    "server.kernels": ("wire", "errors", "agent", "devices.provider", "_version"),
    "server.views": ("wire", "errors", "devices", "server.kernels"),
    "server.matching": ("wire",),
    "server.attribution": ("wire", "devices", "server.kernels", "server.matching", "server.views"),
    "server.attributor": (
        "wire",
        "devices",
        "server.kernels",
        "server.views",
        "server.errand",
        "server.attribution",
    ),
    "server.snapshot": (
        "wire",
        "errors",
        "devices",
        "server.kernels",
        "server.views",
        "server.attributor",
        "server.cells",
        "server.history",
    ),
    "server.cells": ("wire",),
    "server.body": ("wire", "errors"),
    "server.history": ("wire",),
    "server.errand": (),
    "server.diagnostics": ("wire", "devices", "server.errand", "server.snapshot"),
    "server.reading": (
        "wire",
        "errors",
        "server.history",
        "server.diagnostics",
        "server.snapshot",
    ),
    "server.holders": ("wire", "errors", "server.kernels", "server.snapshot"),
    "server.handlers": ("wire", "errors", "server.kernels", "server.snapshot", "server.body"),
    # Of the server only what needs none to run.
    "cli": (
        "wire",
        "devices",
        "server.attribution",
        "server.diagnostics",
        "server.views",
    ),
    # The one place that knows everybody: it puts the parts together.
    "server.extension": ("wire", "errors", "devices", "server", "simulator.settings"),
    "server": (),
}

# Which folder server and kernels share, and whether a process lives.
SHARED = frozenset({"jupyter_core", "psutil"})

# What a part may import of others when it runs; a part that is not named here may import anything.
FOREIGN: dict[str, frozenset[str]] = {
    "": frozenset(),
    "wire": frozenset(),
    "errors": frozenset(),
    "agent": frozenset(),
    "devices": frozenset({"psutil", "pynvml"}),
    "simulator.settings": frozenset(),
    "simulator.ledger": SHARED,
    "simulator": SHARED | {"torch", "IPython"},
}

BINDING = "pynvml"
BLOCKED = ("jupyter_server", "jupyterlab", "jupyter_client", "tornado", "traitlets", "zmq")


@dataclass(frozen=True)
class Import:
    """One import: who, of what, and whether only a type checker sees it."""

    importer: str
    imported: str
    line: int
    for_types: bool

    def __str__(self) -> str:
        return f"{self.importer or PACKAGE}:{self.line} imports {self.imported}"


def modules() -> dict[str, Path]:
    """Name every module of the package, without the package's own name in front."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        found[".".join(parts)] = path
    found.pop("_version", None)
    return found


def imports() -> list[Import]:
    """Read all imports of the package; those of ours are relative to it and start with a dot."""
    known = set(modules())
    return [
        found for name, path in modules().items() for found in _imports_of(name, path, known=known)
    ]


def _imports_of(name: str, path: Path, *, known: set[str]) -> list[Import]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        node
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and "TYPE_CHECKING" in ast.dump(branch.test)
        for statement in branch.body
        for node in ast.walk(statement)
    }
    base = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found = []
    for node in ast.walk(tree):
        for target in _targets(node, [part for part in base if part], known=known):
            line = getattr(node, "lineno", 0)
            found.append(Import(name, target, line, node in typing_only))
    return found


def _targets(node: ast.AST, base: list[str], *, known: set[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [_ours(alias.name) for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    if not node.level:
        return [_ours(node.module or "")]
    start = base[: len(base) - node.level + 1]
    origin = ".".join([*start, *([node.module] if node.module else [])])
    # `from . import handlers` names a module, `from .handlers import routes` something in it.
    names = [".".join(filter(None, [origin, alias.name])) for alias in node.names]
    return [f".{name if name in known else origin}" for name in names]


def _ours(name: str) -> str:
    return name.removeprefix(PACKAGE) or "." if name.split(".")[0] == PACKAGE else name


def _within(name: str, part: str) -> bool:
    return name == part or name.startswith(f"{part}.")


def _part_of(name: str, parts: dict[str, tuple[str, ...]]) -> str:
    return next(part for part in parts if _within(name, part))


def _run(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_every_import_follows_an_arrow() -> None:
    wrong = []
    for found in imports():
        if not found.importer or not found.imported.startswith("."):
            continue
        target = found.imported[1:]
        part = _part_of(found.importer, ARROWS)
        if not any(_within(target, allowed) for allowed in (part, *ARROWS[part])):
            wrong.append(str(found))
    assert wrong == []


def test_every_module_belongs_to_a_part() -> None:
    strays = [
        name for name in modules() if name and not any(_within(name, part) for part in ARROWS)
    ]
    assert strays == []


@pytest.mark.parametrize("part", FOREIGN)
def test_parts_that_run_elsewhere_import_only_what_is_there(part: str) -> None:
    allowed = FOREIGN[part] | set(sys.stdlib_module_names)
    wrong = [
        str(found)
        for found in imports()
        if (_within(found.importer, part) if part else not found.importer)
        and not found.for_types
        and not found.imported.startswith(".")
        and found.imported.split(".")[0] not in allowed
    ]
    assert wrong == []


def test_only_the_nvml_provider_names_the_binding() -> None:
    # Also by importlib, so every mention counts that is not part of a longer text.
    users = {
        name
        for name, path in modules().items()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if BINDING in (getattr(node, "id", None), getattr(node, "value", None))
    } | {found.importer for found in imports() if found.imported.split(".")[0] == BINDING}
    assert users
    assert [user for user in users if not _within(user, "devices.nvml")] == []


def test_importing_the_package_imports_nothing_else() -> None:
    code = (
        "import sys; before = set(sys.modules); import jupyterlab_gpumem;"
        "new = set(sys.modules) - before;"
        "print(*sorted(name for name in new if name.split('.')[0] not in sys.stdlib_module_names))"
    )
    assert _run(code) == PACKAGE


def test_the_package_tells_its_version() -> None:
    assert _run("import jupyterlab_gpumem; print(jupyterlab_gpumem.__version__)")[0].isdigit()


def test_the_agent_imports_with_the_server_stack_blocked() -> None:
    names = [f"{PACKAGE}.{name}" for name in modules() if _within(name, "agent")]
    assert len(names) > 1
    code = f"""
import importlib, sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in {BLOCKED!r}:
            raise ImportError(f'{{name}} is blocked')
sys.meta_path.insert(0, Blocked())
for name in {names!r}:
    importlib.import_module(name)
print('imported')
"""
    assert _run(code) == "imported"


def test_the_graph_sees_relative_absolute_and_lazy_imports() -> None:
    """An empty graph would pass everything above."""
    seen = {(found.importer, found.imported) for found in imports()}
    assert ("", ".server.extension") in seen
    assert ("server.kernels.operations", ".wire") in seen
    assert ("server.handlers", "tornado") in seen
