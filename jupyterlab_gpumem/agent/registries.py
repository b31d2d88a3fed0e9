"""Holders that no variable shows: what is registered with IPython, Python and libraries."""

from __future__ import annotations

import logging
import signal
import sys
import types
import weakref
from typing import Any, Callable, Dict, Iterator, List, Tuple

from .roots import Root
from .text import plain, type_name

Named = Tuple[str, Any]
_OF_SHELL = ("IPython", "ipykernel", "_jupyterlab_gpumem", "jupyterlab_gpumem")


def shell_registries(shell: Any) -> List[Root]:
    """Return the hooks of the shell and of its kernel that belong to the user."""
    return [
        *_hooks(_events, shell),
        *_hooks(_magics, shell),
        *_hooks(_printers, shell),
        *_hooks(_exception_handlers, shell),
        *_hooks(_comm_targets, shell),
        *_stores(shell),
    ]


def python_registries() -> List[Root]:
    """Return what Python's and the libraries' own registries keep."""
    sources: List[Callable[[], Iterator[Named]]] = [
        *(_signals, _finalizers, _logging_handlers, _context_variables),
        _torch_hooks,
    ]
    return [*(root for source in sources for root in _hooks(source)), *_shown()]


def _hooks(source: Callable[..., Iterator[Named]], *args: Any) -> List[Root]:
    """Make roots of what ``source`` yields; one that has changed its shape yields what it can."""
    roots: List[Root] = []
    try:
        for number, (path, value) in enumerate(source(*args)):
            roots.append(Root("hook", path, [value], name=f"{path}#{number}"))
    except Exception:  # noqa: BLE001  another version of the library keeps it elsewhere
        return roots
    return roots


def _events(shell: Any) -> Iterator[Named]:
    for event, callbacks in list(shell.events.callbacks.items()):
        for callback in filter(_is_foreign, list(callbacks)):
            yield f"IPython event {event} → {_function_name(callback)}", callback


def _magics(shell: Any) -> Iterator[Named]:
    manager = shell.magics_manager
    seen = set()
    # A function that was registered is also an attribute of the user's magics.
    places = [*manager.magics.values(), vars(manager.user_magics)]
    for name, function in [item for place in places for item in list(place.items())]:
        is_ours = type(function) is types.FunctionType and _is_foreign(function)
        if is_ours and id(function) not in seen:
            seen.add(id(function))
            yield f"magic %{name}", function


def _printers(shell: Any) -> Iterator[Named]:
    for formatter in list(shell.display_formatter.formatters.values()):
        for kind, function in list(formatter.type_printers.items()):
            if type(function) is types.FunctionType and _is_foreign(function):
                yield f"display formatter of {type_name(kind)}", function


def _exception_handlers(shell: Any) -> Iterator[Named]:
    handler = vars(shell).get("CustomTB")
    if handler is not None:
        yield "handler of set_custom_exc", handler


def _comm_targets(shell: Any) -> Iterator[Named]:
    manager = shell.kernel.comm_manager
    for name, target in list(manager.targets.items()):
        if _is_foreign(target):
            yield f"comm target {name}", target


def _stores(shell: Any) -> List[Root]:
    roots = []
    cache = getattr(getattr(shell, "db", None), "cache", None)
    if type(cache) is dict and cache:
        roots.append(Root("store", "%store cache", [cache], name="cache"))
    explorer = getattr(getattr(shell.kernel, "debugger", None), "variable_explorer", None)
    if explorer is not None:
        roots.append(Root("debugger", "debugger's panel of variables", [explorer], name="panel"))
    return roots


def _signals() -> Iterator[Named]:
    for number in signal.valid_signals():
        handler = signal.getsignal(number)
        if handler is not None and not isinstance(handler, (int, signal.Handlers)):
            yield f"handler of signal {int(number)}", handler


def _finalizers() -> Iterator[Named]:
    registry: Dict[Any, Any] = weakref.finalize._registry  # type: ignore[attr-defined]  # private
    for info in list(registry.values()):
        yield f"weakref.finalize → {_function_name(info.func)}", [info.func, info.args, info.kwargs]


def _logging_handlers() -> Iterator[Named]:
    loggers: Dict[str, Any] = {"root": logging.root, **logging.root.manager.loggerDict}
    for name, logger in loggers.items():
        for handler in list(getattr(logger, "handlers", ())):
            yield f"logging handler {type_name(type(handler))} on {name!r}", handler


def _context_variables() -> Iterator[Named]:
    import contextvars

    for variable, value in contextvars.copy_context().items():
        yield f"ContextVar {variable.name}", value


def _torch_hooks() -> Iterator[Named]:
    for name, hooks in list(vars(sys.modules["torch.nn.modules.module"]).items()):
        if name.startswith("_global_") and issubclass(type(hooks), dict) and hooks:
            yield f"PyTorch hook of all modules ({name})", hooks


def _shown() -> List[Root]:
    roots = []
    figures: Any = getattr(sys.modules.get("matplotlib._pylab_helpers"), "Gcf", None)
    for number, manager in list(getattr(figures, "figs", {}).items()):
        roots.append(Root("figure", plain(f"Figure {number}", 60), [manager]))
    widgets: Any = sys.modules.get("ipywidgets.widgets.widget")
    for number, widget in list(getattr(widgets, "_instances", {}).items()):
        roots.append(Root("widget", type_name(type(widget)), [widget], name=str(number)))
    return roots


def _is_foreign(function: Any) -> bool:
    """Tell whether a callback is not the shell's own, which leads to all of the kernel."""
    if type(function) is types.FunctionType:
        module: Any = function.__module__
    else:
        owner = function.__self__ if type(function) is types.MethodType else function
        kind = owner if issubclass(type(owner), type) else type(owner)
        module = type.__dict__["__module__"].__get__(kind)
    return type(module) is not str or not module.startswith(_OF_SHELL)


def _function_name(function: Any) -> str:
    if type(function) is types.MethodType:
        function = function.__func__
    if type(function) is types.FunctionType:
        return plain(function.__qualname__, 60) + "()"
    return type_name(type(function))
