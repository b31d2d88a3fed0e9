"""The rules that the agent's source keeps, so that it runs in any kernel."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest

import jupyterlab_gpumem.wire
from jupyterlab_gpumem.server.kernels.bootstrap import attach_content

WIRE = Path(jupyterlab_gpumem.wire.__file__)
FILES = [WIRE, *sorted((WIRE.parent / "agent").rglob("*.py"))]
LARGEST_SOURCE = 100_000


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(WIRE.parent)))
def test_the_source_is_python_3_8(path: Path) -> None:
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(WIRE.parent)))
def test_the_source_imports_the_standard_library_the_agent_and_the_wire_alone(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= sys.stdlib_module_names
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            assert (node.module or "").split(".")[0] in sys.stdlib_module_names
        if isinstance(node, ast.ImportFrom) and node.level > 1:
            depth = len(path.relative_to(WIRE.parent).parts)
            assert node.level < depth or (node.level, node.module) == (depth, "wire")


def test_the_request_that_carries_the_agent_is_small_and_runs_no_code_as_a_cell() -> None:
    content = attach_content()
    assert len(json.dumps(content)) < LARGEST_SOURCE
    assert content["code"] == ""
    assert content["silent"] is True
    assert content["store_history"] is content["allow_stdin"] is content["stop_on_error"] is False
    (expression,) = content["user_expressions"].values()
    assert "\n" not in expression
