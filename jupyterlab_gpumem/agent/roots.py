"""The named things that memory is put down to: variables, outputs, the last exception."""

from __future__ import annotations

import re
import sys
from typing import Any, Callable, List

from ..wire import Root as RootKind
from .exceptions import kept_exceptions
from .imports import find_imports
from .outputs import latest_outputs, numbered_outputs
from .text import plain

AUTOMATIC = re.compile(r"_+|_\d+|_i+\d*|_(ih|oh|dh)|__\w+__")
_OF_SHELL = frozenset(("In", "Out", "get_ipython", "exit", "quit", "open"))


class Root:
    """Something with a name that keeps memory; ``starts`` is what it refers to.

    ``cache`` is a weak reference to the ``lru_cache`` of a root that is one.
    """

    __slots__ = ("cache", "deletable", "id", "kind", "path", "starts")

    def __init__(self, kind: RootKind, path: str, starts: List[Any], *, name: str = "") -> None:
        self.kind = kind
        self.path = plain(path, 200)
        self.id = plain(f"{kind}:{name or path}", 250)
        self.starts = starts
        self.deletable = kind in DELETABLE
        self.cache: Any = None


DELETABLE = frozenset(
    ("variable", "output", "exception", "script", "store", "debugger", "function_cache")
)
"""What level ``objects`` can give up without touching code that is not the notebook's."""

Phase = Callable[[], List[Root]]


def user_phases(shell: Any, torch: Any) -> List[Phase]:
    """Return what the user made, in the order in which it is searched.

    Models first: their paths are what a user knows, and no limit may cost them. Optimizers last,
    so that a parameter is found under its model.
    """
    variables = user_roots(shell)
    networks: List[Root] = []
    tensors: List[Root] = []
    others: List[Root] = []
    optimizers: List[Root] = []
    optimizer: Any = getattr(sys.modules.get("torch.optim"), "Optimizer", ())
    for root in variables:
        kind = type(root.starts[0])
        if issubclass(kind, torch.nn.Module):
            networks.append(root)
        elif issubclass(kind, torch.Tensor):
            tensors.append(root)
        elif issubclass(kind, optimizer):
            optimizers.append(root)
        else:
            others.append(root)
    groups = [networks, tensors, others, optimizers]
    return [
        *[lambda group=group: group for group in groups],
        lambda: output_roots(shell),
        lambda: exception_roots(shell),
        lambda: script_roots(shell),
    ]


def user_roots(shell: Any) -> List[Root]:
    """Return the user's names, but not what is imported: that has its module as a holder."""
    imports = find_imports(shell)
    hidden = shell.user_ns_hidden
    nothing = object()
    roots = []
    for name, value in list(shell.user_ns.items()):
        if type(name) is not str or name in _OF_SHELL or name in imports:
            continue
        if AUTOMATIC.fullmatch(name) and not _is_users_own(shell, name, value):
            continue
        starts = [value]
        if not AUTOMATIC.fullmatch(name) and hidden.get(name, value) is not value:
            starts.append(hidden[name])
        roots.append(Root("variable", name, starts))
    for name, value in list(hidden.items()):
        if type(name) is not str or name in _OF_SHELL or AUTOMATIC.fullmatch(name):
            continue
        if shell.user_ns.get(name, nothing) is nothing:
            roots.append(Root("variable", name, [value]))
    return roots


def _is_users_own(shell: Any, name: str, value: Any) -> bool:
    """Tell whether the user has bound a name such as ``_`` that the shell uses too."""
    return name in ("_", "__", "___") and value is not getattr(shell.displayhook, name, value)


def output_roots(shell: Any) -> List[Root]:
    """Return the stored outputs, each once whatever names it has."""
    roots = [
        Root("output", f"Out[{number}]", [value], name=str(number))
        for number, value in numbered_outputs(shell)
    ]
    known = {id(root.starts[0]) for root in roots}
    for name, value in latest_outputs(shell):
        if id(value) not in known:
            known.add(id(value))
            roots.append(Root("output", name, [value], name=name))
    return roots


def exception_roots(shell: Any) -> List[Root]:
    """Return the last exception with all places that keep it as one root."""
    kept = kept_exceptions(shell)
    return [Root("exception", "last exception", kept, name="last")] if kept else []


def script_roots(shell: Any) -> List[Root]:
    """Return the names that ``%run`` has left in the modules which it keeps."""
    roots = []
    for place, module in list(getattr(shell, "_main_mod_cache", {}).items()):
        file = plain(str(place).replace("\\", "/").rsplit("/", 1)[-1], 60)
        for name, value in list(vars(module).items()):
            if type(name) is str and not name.startswith("__"):
                path = f"%run {file} → {name}"
                roots.append(Root("script", path, [value], name=f"{name}@{place}"))
    return roots
