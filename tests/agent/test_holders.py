"""Who holds memory, asked in a real kernel. CPU tensors stand for GPU ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from tests.kernels import Kernel

    from jupyterlab_gpumem.wire import Holder, Holders

MIB = 1 << 20
SETUP = "import torch\ndef mib(count=1): return torch.ones(count, 1 << 18)"


class Held(NamedTuple):
    """Cells, and the one holder that they leave; the path is of its largest storage."""

    cells: str
    root: str
    path: str
    mib: int
    category: str = "tensor"


# By what holds the memory. Each is alone in the kernel when it is looked for.
HOLDERS = {
    "a tensor": Held("x = mib(3)", "variable", "x", 3),
    "containers": Held("x = {'a': [0, (mib(2),)], 3: None}", "variable", "x['a'][1][0]", 2),
    "an attribute and a slot": Held(
        "class A:\n    __slots__ = ('s', '__dict__')\nx = A(); x.s = A(); x.s.d = mib(2)",
        *("variable", "x.s.d", 2),
    ),
    "a view": Held("x = mib(4)[:1]", "variable", "x", 4),
    "an output": Held("mib(2)", "output", "Out[N]", 2),
    "the user's own underscore": Held("_, other = mib(2), 1", "variable", "_", 2),
    "a failed call": Held(
        "def inner(one):\n    raise ValueError('no')\n"
        "def outer():\n    two = mib(1)\n    inner(two)\nouter()",
        *("exception", "last exception → outer() line 5 → two", 1),
    ),
    "a chained exception": Held(
        "def fail():\n    try:\n        big = mib(2); 1 / 0\n"
        "    except ZeroDivisionError as e: raise KeyError('x') from e\nfail()",
        *("exception", "last exception → fail() line", 2),
    ),
    "a kept exception": Held(
        "def fail():\n    loc = mib(2); 1 / 0\ntry: fail()\nexcept Exception as e: kept = e",
        *("variable", "kept → fail() line 2 → loc", 2),
    ),
    "a network": Held(
        "net = torch.nn.Sequential(torch.nn.Linear(512, 512, bias=False))",
        *("variable", "net[0].weight", 1, "parameter"),
    ),
    "a buffer": Held(
        "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.register_buffer('table', mib(2))\nnet = Net()",
        *("variable", "net.table", 2, "buffer"),
    ),
    "an optimizer alone": Held(
        "net = torch.nn.Linear(512, 512, bias=False); opt = torch.optim.Adam(net.parameters())\n"
        "(net.weight * 2).sum().backward(); opt.step(); del net",
        *("variable", "opt.state[<512×512>]['exp_avg']", 4, "optimizer_state"),
    ),
    "losses with their graphs": Held(
        "losses = [(mib(1).requires_grad_().exp() * 2).sum() for _ in range(3)]",
        *("variable", "losses[0…2] → autograd graph", 6, "graph"),
    ),
    "a closure": Held(
        "def make():\n    seen = mib(2)\n    return lambda: seen\nf = make()",
        *("variable", "f → closure seen", 2),
    ),
    "a default": Held("def f(x=mib(2)): pass", "variable", "f → default[0]", 2),
    "a bound method": Held(
        "class A:\n    def __init__(self): self.w = mib(2)\n    def m(self): pass\nm = A().m",
        *("variable", "m.__self__.w", 2),
    ),
    "a generator that was left": Held(
        "def batches():\n    pool = mib(2)\n    yield 1\ng = batches(); next(g)",
        *("variable", "g → suspended batches() line 3 → pool", 2),
    ),
    "a function cache": Held(
        "import functools\n@functools.lru_cache\ndef feats(n): return mib(n)\nfeats(2); None",
        *("function_cache", "cache of feats()", 2),
    ),
    "a class of the notebook": Held("class C:\n    TABLE = mib(2)", "variable", "C.TABLE", 2),
    "a module's table": Held(
        "import sys, types\nm = types.ModuleType('ourlib'); m.CACHE = [0, mib(2)]\n"
        "sys.modules['ourlib'] = m; del m",
        *("module", "module ourlib.CACHE[1]", 2),
    ),
    "a module's class": Held(
        "import sys, types\nm = types.ModuleType('ourlib')\n"
        "m.Bank = type('Bank', (), {'__module__': 'ourlib', 'table': mib(2)})\n"
        "sys.modules['ourlib'] = m; del m",
        *("module", "module ourlib.Bank.table", 2),
    ),
    "a running thread": Held(
        "import threading\nstop = threading.Event()\n"
        "def work():\n    batch = mib(2)\n    stop.wait()\n"
        "started = threading.Thread(target=work, name='loader-1'); started.start()",
        *("thread", "thread loader-1 → work() line 5 → batch", 2),
    ),
    "a logging handler": Held(
        "import logging\nclass Keep(logging.Handler):\n    kept = []\n"
        "    def emit(self, record): self.r = record\n"
        "handler = Keep(); logging.getLogger('ours').addHandler(handler)\n"
        "logging.getLogger('ours').warning('%s', [mib(2)]); del handler, Keep",
        *("hook", "logging handler Keep on 'ours'.r.args[0][0]", 2),
    ),
    "an event callback": Held(
        "def make():\n    seen = mib(2)\n    return lambda *a: seen\n"
        "get_ipython().events.register('post_execute', make()); None",
        *("hook", "IPython event post_execute → make.<locals>.<lambda>() → closure seen", 2),
    ),
    "a finalizer": Held(
        "import weakref\nclass A: pass\nanchor = A()\n"
        "weakref.finalize(anchor, print, mib(2)); None",
        *("hook", "weakref.finalize → builtin_function_or_method[1][0]", 2),
    ),
    "a hook of all modules": Held(
        "def make():\n    seen = mib(2)\n    return lambda *a: seen\n"
        "hook = torch.nn.modules.module.register_module_forward_hook(make()); None",
        *("hook", "PyTorch hook of all modules (_global_forward_hooks)", 2),
    ),
    "a task": Held(
        "import asyncio\nasync def wait_for():\n    held = mib(2)\n    await asyncio.sleep(3600)\n"
        "task = asyncio.get_event_loop().create_task(wait_for(), name='mine')\n"
        "await asyncio.sleep(0)",
        *("variable", "task", 2),
    ),
    "a cycle": Held(
        "import gc\ngc.disable()\nclass Parent: pass\np = Parent(); p.me = p; p.w = mib(2); del p",
        *("garbage", "cycle of Parent", 2),
    ),
}
UNDO = """
def undo():
    import gc, logging, sys
    gc.enable()
    sys.modules.pop('ourlib', None)
    for handler in list(logging.getLogger('ours').handlers):
        logging.getLogger('ours').removeHandler(handler)
    callbacks = get_ipython().events.callbacks['post_execute']
    del callbacks[:]
    torch.nn.modules.module._global_forward_hooks.clear()
    if 'stop' in globals(): stop.set(); started.join()
    if 'task' in globals(): task.cancel()
undo(); del undo
"""


@pytest.fixture(autouse=True)
def _clean(torch_kernel: Kernel) -> Any:
    torch_kernel.run(SETUP)
    yield
    assert torch_kernel.run(UNDO).reply["status"] == "ok"
    torch_kernel.free(keep_imports=False)


def held_by(found: Holders, root: str) -> list[Holder]:
    return [h for h in found["holders"] if h["root"] == root]


@pytest.mark.parametrize("name", HOLDERS)
def test_a_holder_is_named_with_the_way_to_the_memory(torch_kernel: Kernel, name: str) -> None:
    case = HOLDERS[name]
    run = torch_kernel.run(case.cells)
    found = torch_kernel.holders()
    number = run.reply["execution_count"]

    told = [
        (h["root"], h["detail"].replace(str(number), "N"), h["category"]) for h in found["holders"]
    ]
    holder = next((h for h in found["holders"] if h["root"] == case.root), None)
    assert holder is not None, told
    assert holder["detail"].replace(f"[{number}]", "[N]").startswith(case.path), told
    assert holder["category"] == case.category
    assert case.mib * MIB <= holder["reaches_bytes"] < (case.mib + 1) * MIB
    assert found["visible_bytes"] is not None
    assert found["partial"] is False
