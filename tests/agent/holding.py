"""Ways to hold memory in a notebook: what holds it, how it is named, and which level frees it."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20
SETUP = """
import torch
probe = __import__('sys').modules['gpumem_probe']
def seen(tensor):
    probe.count = getattr(probe, 'count', 0) + 1
    return probe.watch(f'{way} #{probe.count}', tensor)
def mib(count=1): return seen(torch.ones(count, 1 << 18))
"""
# Takes back what no level may touch.
UNDO = """
def undo():
    import gc, logging, sys
    gc.enable()
    probe = sys.modules['gpumem_probe']
    if hasattr(probe, 'stop'): probe.stop.set(); probe.started.join(); del probe.stop, probe.started
    if hasattr(probe, 'finalizer'): probe.finalizer.detach(); del probe.finalizer
    sys.modules.pop('ourlib', None)
    for handler in list(logging.getLogger('ours').handlers):
        logging.getLogger('ours').removeHandler(handler)
    del get_ipython().events.callbacks['post_execute'][:]
    if get_ipython().magics_manager.magics['line'].pop('ours', None):
        del get_ipython().magics_manager.user_magics.ours
    torch.nn.modules.module._global_forward_hooks.clear()
undo(); del undo
"""
MODULE = """import sys, types
m = sys.modules.setdefault('ourlib', types.ModuleType('ourlib'))
"""
MAKER = "def make():\n    held = mib(2)\n    return lambda *a: held\n"


@dataclass(frozen=True)
class Way:
    """Cells, and the holder that they leave: its kind, and the way to its largest storage.

    ``objects`` and ``reset`` say whether the level frees it; what is left must be named.
    """

    cells: str
    root: str
    path: str
    mib: int = 2
    category: str = "tensor"
    objects: bool = True
    reset: bool = True


WAYS = {
    "variable": Way("x = mib(2)", "variable", "x"),
    "second name": Way("one = two = mib(2)", "variable", "one"),
    "containers": Way("boxes = {'a': [0, (mib(2),)], 3: None}", "variable", "boxes['a'][1][0]"),
    "attribute, slot": Way(
        "class A:\n    __slots__ = ('s', '__dict__')\na = A(); a.s = A(); a.s.d = mib(2)",
        *("variable", "a.s.d"),
    ),
    "view of a large tensor": Way("view = mib(4)[:1]", "variable", "view", 4),
    "output": Way("mib(2)", "output", "Out[N]"),
    "`_` bound by the user": Way("_, other = mib(2), 1", "variable", "_"),
    "name pushed as hidden": Way(
        "get_ipython().push({'pushed': mib(2)}, interactive=False)", "variable", "pushed"
    ),
    "exception that was kept": Way(
        "def fail():\n    loc = mib(2); 1 / 0\ntry: fail()\nexcept Exception as e: kept = e",
        *("variable", "kept → fail() line 2 → loc"),
    ),
    "network": Way(
        "net = torch.nn.Sequential(torch.nn.Linear(512, 512, bias=False)); seen(net[0].weight)\n",
        *("variable", "net[0].weight", 1, "parameter"),
    ),
    "buffer": Way(
        "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.register_buffer('table', mib(2))\nbuffered = Net()",
        *("variable", "buffered.table", 2, "buffer"),
    ),
    "optimizer of a deleted network": Way(
        "lin = torch.nn.Linear(512, 512, bias=False); opt = torch.optim.Adam(lin.parameters())\n"
        "(lin.weight * 2).sum().backward(); opt.step(); seen(lin.weight); del lin",
        *("variable", "opt.state[<512×512>]['exp_avg']", 4, "optimizer_state"),
    ),
    "list of losses": Way(
        "losses = [(mib(1).requires_grad_().exp() * 2).sum() for _ in range(3)]",
        *("variable", "losses[0…2] → autograd graph", 6, "graph"),
    ),
    "closure": Way(f"{MAKER}closed = make()", "variable", "closed → closure held"),
    "default of a function": Way("def f(x=mib(2)): pass", "variable", "f → default[0]"),
    "bound method": Way(
        "class B:\n    def __init__(self): self.w = mib(2)\n    def m(self): pass\nbound = B().m",
        *("variable", "bound.__self__.w"),
    ),
    "generator that was left": Way(
        "def batches():\n    pool = mib(2)\n    yield 1\ng = batches(); next(g)",
        *("variable", "g → suspended batches() line 3 → pool"),
    ),
    "class of the notebook": Way("class C:\n    TABLE = mib(2)", "variable", "C.TABLE"),
    "function cache": Way(
        "import functools\n@functools.lru_cache\ndef feats(n): return mib(n)\nfeats(2); None",
        *("function_cache", "cache of feats()"),
    ),
    "function cache of a module": Way(
        f"{MODULE}import functools\ndef load(): return held.pop()\nload.__module__ = 'ourlib'\n"
        "held = [mib(2)]; m.load = functools.lru_cache(load); m.load(); del m, load",
        *("function_cache", "cache of ourlib.load()"),
        reset=False,
    ),
    "global of a module": Way(
        f"{MODULE}m.CACHE = [0, mib(2)]; del m",
        *("module", "module ourlib.CACHE[1]"),
        objects=False,
        reset=False,
    ),
    "class of a module": Way(
        f"{MODULE}m.Bank = type('Bank', (), {{'__module__': 'ourlib', 'table': mib(2)}}); del m",
        *("module", "module ourlib.Bank.table"),
        objects=False,
        reset=False,
    ),
    "object of an outdated class": Way(
        f"{MODULE}m.Net = type('Net', (), {{'__module__': 'ourlib', 'T': mib(2)}})\n"
        "old = m.Net(); m.Net = None; del m",
        *("variable", "old → class Net.T"),
    ),
    "running thread": Way(
        "import threading\nprobe.stop = threading.Event(); begun = threading.Event()\n"
        "def work(stop):\n    batch = mib(2)\n    begun.set()\n    stop.wait()\n"
        "probe.started = threading.Thread(target=work, args=(probe.stop,), name='loader-1')\n"
        "probe.started.start(); begun.wait()",
        *("thread", "thread loader-1 → work() line 6 → batch"),
        objects=False,
        reset=False,
    ),
    "logging handler": Way(
        "import logging\nclass Keep(logging.Handler):\n"
        "    def emit(self, record): self.r = record\n"
        "handler = Keep(); logging.getLogger('ours').addHandler(handler)\n"
        "logging.getLogger('ours').warning('%s', [mib(2)]); del handler, Keep",
        *("hook", "logging handler Keep on 'ours'.r.args[0][0]"),
        objects=False,
        reset=False,
    ),
    "IPython event": Way(
        f"{MAKER}get_ipython().events.register('post_execute', make()); None",
        *("hook", "IPython event post_execute → make.<locals>.<lambda>() → closure held"),
        objects=False,
        reset=False,
    ),
    "magic": Way(
        f"{MAKER}get_ipython().register_magic_function(make(), 'line', 'ours')",
        *("hook", "magic %ours → closure held"),
        objects=False,
        reset=False,
    ),
    "`weakref.finalize`": Way(
        "import weakref\nprobe.finalizer = weakref.finalize(probe, print, mib(2)); None",
        *("hook", "weakref.finalize → builtin_function_or_method[1][0]"),
        objects=False,
        reset=False,
    ),
    "hook of all modules of PyTorch": Way(
        f"{MAKER}torch.nn.modules.module.register_module_forward_hook(make()); None",
        *("hook", "PyTorch hook of all modules (_global_forward_hooks)"),
        objects=False,
        reset=False,
    ),
    # Last: with the collector switched off.
    "cycle that was not collected": Way(
        "import gc\ngc.disable()\nclass Parent: pass\np = Parent(); p.me = p; p.w = mib(2); del p",
        *("garbage", "cycle of Parent"),
    ),
}
# There is only one last exception.
EXCEPTIONS = {
    "last exception": Way(
        "def inner(one):\n    raise ValueError('no')\n"
        "def outer():\n    two = mib(2)\n    inner(0)\nouter()",
        *("exception", "last exception → outer() line 5 → two"),
    ),
    "cause of the last exception": Way(
        "def fail():\n    try:\n        big = mib(2); 1 / 0\n"
        "    except ZeroDivisionError as e: raise KeyError('x') from e\nfail()",
        *("exception", "last exception → fail() line"),
    ),
}


def table() -> str:
    """Say what each level does to each way, as a table for the documentation."""
    rows = [
        "| held by | found as | *Free GPU objects* | *Reset & free GPU* |",
        "| --- | --- | --- | --- |",
    ]
    for name, way in WAYS.items():
        found = way.path.replace("[N]", "[7]").replace("|", "\\|")
        rows.append(f"| {name} | `{found}` | {_word(way.objects)} | {_word(way.reset)} |")
    return "\n".join(rows)


def _word(is_freed: bool) -> str:
    return "freed" if is_freed else "named"
