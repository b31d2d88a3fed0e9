"""Who holds memory, and which level frees it, in a real kernel. CPU tensors stand for GPU ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.agent.holding import EXCEPTIONS, MIB, SETUP, UNDO, WAYS, Way, table

if TYPE_CHECKING:
    from jupyterlab_gpumem.wire import AgentFreeReport, Holder, Holders, Level
    from tests.kernels import Kernel

DOCS = Path(__file__).parents[2] / "docs" / "holders.md"


@dataclass(frozen=True)
class Outcome:
    """What was found before, and what each level did."""

    found: Holders
    again: Holders
    numbers: dict[Level, dict[str, int]]
    reports: dict[Level, AgentFreeReport]
    alive: dict[Level, list[str]]


def hold(kernel: Kernel, ways: dict[str, Way]) -> dict[str, int]:
    """Run the cells of all ways, and return the number of each one's last cell."""
    kernel.run(SETUP)
    numbers = {}
    for name, way in ways.items():
        # In a cell of its own, so that the lines are those of the way.
        kernel.run(f"way = {name!r}")
        numbers[name] = kernel.run(way.cells).reply["execution_count"]
    return numbers


def try_out(kernel: Kernel, ways: dict[str, Way]) -> Outcome:
    levels: tuple[Level, ...] = ("objects", "reset")
    reports: dict[Level, AgentFreeReport] = {}
    alive: dict[Level, list[str]] = {}
    numbers: dict[Level, dict[str, int]] = {}
    for level in levels:
        numbers[level] = hold(kernel, ways)
        if level == "objects":
            found, again = kernel.holders(limit=100), kernel.holders(limit=100)
        reports[level] = kernel.free(level)["report"]
        alive[level] = kernel.probe("alive()")
        assert kernel.run("import torch" + UNDO).reply["status"] == "ok"
        kernel.free(keep_imports=False)
        assert kernel.probe("alive()") == []
    return Outcome(found, again, numbers, reports, alive)


@pytest.fixture(scope="module")
def together(torch_kernel: Kernel) -> Outcome:
    return try_out(torch_kernel, WAYS)


@pytest.fixture(scope="module")
def alone(torch_kernel: Kernel) -> dict[str, Outcome]:
    return {name: try_out(torch_kernel, {name: way}) for name, way in EXCEPTIONS.items()}


def check(outcome: Outcome, name: str, way: Way) -> None:
    check_named(outcome.found["holders"], way, numbered(way, outcome.numbers["objects"][name]))
    freed: dict[Level, bool] = {"objects": way.objects, "reset": way.reset}
    for level, is_freed in freed.items():
        report = outcome.reports[level]
        path = numbered(way, outcome.numbers[level][name])
        alive = [tag for tag in outcome.alive[level] if tag.startswith(f"{name} #")]
        left = [s for s in report["still_held"] if s["root"] == way.root]
        assert bool(alive) is not is_freed, (level, alive)
        if is_freed:
            check_credited(report, way, path)
        else:
            assert [s["bytes"] // MIB for s in left if s["path"].startswith(path)] == [way.mib], (
                left
            )


def numbered(way: Way, number: int) -> str:
    return way.path.replace("[N]", f"[{number}]")


def check_named(holders: list[Holder], way: Way, path: str) -> None:
    told = [(h["root"], h["detail"], h["category"]) for h in holders]
    fitting = [h for h in holders if h["root"] == way.root and h["detail"].startswith(path)]
    assert len(fitting) == 1, told
    (holder,) = fitting
    assert holder["category"] == way.category
    assert way.mib * MIB <= holder["reaches_bytes"] < (way.mib + 1) * MIB
    assert holder["deletable"] is (way.objects and way.root != "garbage")


def check_credited(report: AgentFreeReport, way: Way, path: str) -> None:
    """What was freed is credited to what was dropped, never to the collection of garbage."""
    kind = [d for d in report["dropped"] if d["root"] == way.root]
    named = [d for d in kind if path.startswith(d["path"]) or way.root == "exception"]
    assert sum(d["bytes"] or 0 for d in named) >= way.mib * MIB, kind


@pytest.mark.timeout(180)
@pytest.mark.parametrize("name", WAYS)
def test_a_holder_is_named_and_each_level_does_what_it_may(together: Outcome, name: str) -> None:
    check(together, name, WAYS[name])


@pytest.mark.timeout(180)
@pytest.mark.parametrize("name", EXCEPTIONS)
def test_the_last_exception_is_named_and_dropped(alone: dict[str, Outcome], name: str) -> None:
    check(alone[name], name, EXCEPTIONS[name])


def test_nothing_counts_twice_and_nothing_is_left_out(together: Outcome) -> None:
    found = together.found
    only = sum(h["only_bytes"] for h in found["holders"])
    assert only <= (found["visible_bytes"] or 0)
    assert sum(t["bytes"] for t in found["tensors"]) == found["visible_bytes"]
    assert found["tensors_count"] == len(found["tensors"])
    assert all(t["holder"] is not None for t in found["tensors"])
    for level, report in together.reports.items():
        credited = sum(d["bytes"] or 0 for d in report["dropped"])
        assert credited == report["freed_host_bytes"], level
        assert [step for step in report["steps"] if step["error"]] == []


def test_looking_twice_finds_the_same(together: Outcome) -> None:
    assert {**together.again, "scan_ms": 0} == {**together.found, "scan_ms": 0}


def test_what_stands_out_is_explained(together: Outcome) -> None:
    told = {(e["code"], e["path"]) for e in together.found["explanations"]}
    assert told >= {
        ("graph_kept", "losses"),
        ("optimizer", "opt"),
        ("second_name", "one"),
        ("view", "view"),
        ("suspended", "g → suspended batches() line 3 → pool"),
        ("garbage", "cycle of Parent"),
        ("thread", "thread loader-1 → work() line 6 → batch"),
        ("function_cache", "cache of feats()"),
        ("module", "module ourlib.CACHE[1]"),
    }
    (outputs,) = (e for e in together.found["explanations"] if e["code"] == "outputs")
    # The network's cell shows its weight, which is an output too.
    assert (outputs["count"], outputs["bytes"]) == (2, 3 * MIB)
    (graphs,) = (e for e in together.found["explanations"] if e["code"] == "graph_kept")
    assert graphs["count"] == 3


def test_a_stored_exception_is_explained(alone: dict[str, Outcome]) -> None:
    found = alone["last exception"].found["explanations"]
    assert [(e["code"], e["bytes"]) for e in found] == [("exception", 2 * MIB)]


def test_a_hook_of_the_user_that_needs_what_was_deleted_is_named(torch_kernel: Kernel) -> None:
    torch_kernel.run(
        "import torch\ntable = torch.ones(9)\ndef show(): table.sum()\n"
        "get_ipython().events.register('post_execute', show)"
    )
    told = torch_kernel.free("objects")["report"]["explanations"]
    torch_kernel.run("get_ipython().events.callbacks['post_execute'].clear()")
    assert ("hook_refers", "IPython event post_execute → show()", "table") in [
        (e["code"], e["path"], e["other"]) for e in told
    ]


def test_the_documentation_has_the_table_that_these_tests_prove() -> None:
    assert table() in DOCS.read_text(encoding="utf-8")
