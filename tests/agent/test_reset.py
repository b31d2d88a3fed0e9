"""A reset frees what the shell holds, proved by weak references that are asked beside the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.kernels import Kernel

MIB = 1 << 20
WATCH = "__import__('sys').modules['gpumem_probe'].watch"
TENSOR = "torch.ones(1 << 18)"  # 1 MiB

FAIL = f"""
def fail():
    local = {WATCH}('frame', {TENSOR})
    raise ValueError('no memory left')
fail()
"""
# Leaves the value to the three names of the latest output, of which there are three copies.
ONLY_LATEST = """
n = max(Out)
for names in (Out, get_ipython().user_ns, get_ipython().user_ns_hidden):
    names.pop(n, None); names.pop(f'_{n}', None)
"""


def watched(tag: str) -> str:
    return f"{WATCH}({tag!r}, {TENSOR})"


# What one kernel can hold at the same time.
TOGETHER = {
    # First, since it collects.
    "frozen cycle": f"import gc\nf = [{watched('frozen cycle')}]; f.append(f)\n"
    "gc.collect(); gc.freeze()",
    "variable": f"x = {watched('variable')}",
    "second name": f"y = z = {watched('second name')}; del y",
    "view in a container": f"views = [dict(a={watched('view in a container')}[5:])]",
    "cycle": f"c = [{watched('cycle')}]; c.append(c); del c",
    "graph": f"loss = {WATCH}('graph', {TENSOR}.requires_grad_().sigmoid()).exp().sum()",
    "hidden name": f"get_ipython().push(dict(h={watched('hidden name')}), interactive=False)",
    "kept exception": f"try: {watched('kept exception')}.no\nexcept Exception as e: kept = e",
    "function cache": "import atexit, functools\n@functools.lru_cache\n"
    f"def cached(): return {watched('function cache')}\ncached(); atexit.register(cached)",
    "output": watched("output"),
}
# What takes the place of another.
ALONE = {
    "latest output": [watched("it"), ONLY_LATEST],
    "last result": [f"get_ipython().displayhook.exec_result.result = {watched('it')}"],
    "last exception": [FAIL.replace("'frame'", "'it'")],
    "exception before a syntax error": [FAIL.replace("'frame'", "'it'"), "not python"],
}


@pytest.fixture(autouse=True)
def _clean(torch_kernel: Kernel) -> None:
    torch_kernel.free(keep_imports=False)
    torch_kernel.run("import torch")


def test_reset_frees_what_names_containers_outputs_and_caches_hold(torch_kernel: Kernel) -> None:
    torch_kernel.run("import gc; gc.disable()")
    for cell in TOGETHER.values():
        torch_kernel.run(cell)
    assert torch_kernel.probe("alive()") == sorted(TOGETHER)

    report = torch_kernel.free()["report"]
    # The user has switched collection off, and it stays off.
    assert torch_kernel.probe("__import__('gc').isenabled()") is False
    torch_kernel.run("import gc; gc.enable()")

    assert torch_kernel.probe("alive()") == []
    assert [step for step in report["steps"] if step["error"]] == []
    # The graph has the result of a second function.
    assert (report["freed_host_bytes"] or 0) >= (len(TOGETHER) + 1) * MIB


@pytest.mark.parametrize("holder", ALONE)
def test_reset_frees_a_tensor_held_by_the(torch_kernel: Kernel, holder: str) -> None:
    for cell in ALONE[holder]:
        torch_kernel.run(cell)
    assert torch_kernel.probe("alive()") == ["it"]

    report = torch_kernel.free()["report"]

    assert torch_kernel.probe("alive()") == []
    # Our very request has replaced the last result before the agent could look.
    assert report["freed_host_bytes"] == (MIB if holder != "last result" else 0)


def test_the_reset_magic_alone_leaves_what_the_last_exception_holds(torch_kernel: Kernel) -> None:
    torch_kernel.run(FAIL)
    torch_kernel.run("%reset -f")
    assert torch_kernel.probe("alive()") == ["frame"]

    report = torch_kernel.free()["report"]

    assert torch_kernel.probe("alive()") == []
    assert report["freed_host_bytes"] == MIB
    path = "ValueError: no memory left"
    assert {"root": "exception", "path": path, "bytes": MIB} in report["dropped"]


def test_the_report_names_what_was_given_up(torch_kernel: Kernel) -> None:
    torch_kernel.run("first, _private = 1, 2\ndef second(): pass")
    torch_kernel.run("'an output'")
    number = torch_kernel.probe("max(shell.user_ns['Out'])")
    torch_kernel.run("raise KeyError('first line\\nsecond line')")

    report = torch_kernel.free()["report"]

    assert [(d["root"], d["path"]) for d in report["dropped"]] == [
        ("variable", "first"),
        ("variable", "second"),
        ("output", f"Out[{number}]"),
        ("exception", "KeyError: first line"),
    ]


def test_the_report_of_many_variables_is_short_and_counts_all(torch_kernel: Kernel) -> None:
    torch_kernel.run("for i in range(300): globals()[f'v{i}' * 99] = i")
    report = torch_kernel.free()["report"]
    assert len(report["dropped"]) == 200
    assert report["dropped_count"] == 301


def test_what_is_still_held_elsewhere_stays_and_is_not_claimed(torch_kernel: Kernel) -> None:
    torch_kernel.run(f"import string; string.cache = {WATCH}('module', {TENSOR})")
    report = torch_kernel.free()["report"]
    assert torch_kernel.probe("alive()") == ["module"]
    assert report["freed_host_bytes"] == 0
    torch_kernel.run("import string; del string.cache")


def test_a_failing_step_is_reported_and_the_others_run(torch_kernel: Kernel) -> None:
    torch_kernel.run(
        "def broken(*_, **__): raise RuntimeError('broken ' * 200)\n"
        "torch.kept, torch.clear_autocast_cache = torch.clear_autocast_cache, broken\n"
        f"x = {WATCH}('it', {TENSOR})"
    )
    steps = {step["name"]: step for step in torch_kernel.free()["report"]["steps"]}
    torch_kernel.run("torch.clear_autocast_cache = torch.kept")

    error = steps["clear_autocast_cache"]["error"] or ""
    assert error.startswith("RuntimeError: broken")
    assert len(error) == 500
    assert torch_kernel.probe("alive()") == []


def test_objects_that_object_do_no_harm(torch_kernel: Kernel) -> None:
    torch_kernel.run(
        "class Liar:\n"
        "    __class__ = property(lambda self: torch.Tensor)\n"
        "    def __getattr__(self, name): raise SystemExit(name)\n"
        "    def __call__(self): raise SystemExit('called')\n"
        "    def __eq__(self, other): raise SystemExit('compared')\n"
        "    def __repr__(self): raise SystemExit('shown')\n"
        "class Meta(type):\n"
        "    __hash__ = None\n"
        "    def __getattribute__(cls, name): raise SystemExit(name)\n"
        "class Last:\n"
        "    def __del__(self): raise RuntimeError('last words')\n"
        "class Name(str): pass\n"
        "class Failure(Exception):\n"
        "    def __str__(self): raise SystemExit('told')\n"
    )
    torch_kernel.run("class Odd(metaclass=Meta): pass")
    torch_kernel.run(
        "liar, last = Liar(), Last()\n"
        "globals()[Name('odd key')] = globals()['\\ud800'] = globals()['n' * 5000] = 1\n"
        "globals()[5] = liar\n"
        f"x = [liar, Odd, {WATCH}('it', {TENSOR})]"
    )
    torch_kernel.run("raise Failure(liar)")

    report = torch_kernel.free()["report"]

    assert torch_kernel.probe("alive()") == []
    assert [step for step in report["steps"] if step["error"]] == []


def test_freeing_the_cache_keeps_all_that_the_user_has(torch_kernel: Kernel) -> None:
    torch_kernel.run(f"x = {WATCH}('x', {TENSOR})")
    torch_kernel.run(f"{WATCH}('out', {TENSOR})")
    torch_kernel.run(FAIL)
    # Switched off, or Python may be first.
    torch_kernel.run("import gc; gc.disable()")
    torch_kernel.run(f"y = [{WATCH}('cycle', {TENSOR})]; y.append(y); del y")

    report = torch_kernel.free("cache")["report"]
    torch_kernel.run("gc.enable()")

    assert torch_kernel.probe("alive()") == ["frame", "out", "x"]
    assert report["freed_host_bytes"] == MIB
    assert report["dropped"] == []
