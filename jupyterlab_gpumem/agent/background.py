"""Holders that run or wait beside the notebook's cells: threads, tasks, modules, caches."""

from __future__ import annotations

import gc
import sys
import threading
import types
import weakref
from typing import Any, Dict, List

from .edges import cached_by
from .kinds import CLASS, Kinds, cache_type, is_library, is_library_file
from .roots import Root
from .text import plain

_OF_KERNEL = ("IOPub", "Heartbeat", "Control", "Shell channel", "IPythonHistory", "gpumem")


_LAST = ("last_exc", "last_value", "last_traceback")
_OURS = ("_jupyterlab_gpumem", "jupyterlab_gpumem")


def function_caches() -> List[Root]:
    """Return every ``lru_cache``, since emptying it is another thing than losing the function."""
    roots = []
    numbers: Dict[str, int] = {}
    for cache in [c for c in gc.get_objects() if type(c) is cache_type]:
        names = vars(cache)
        module, function = names.get("__module__"), names.get("__qualname__")
        cached = cached_by(cache)
        if type(module) is not str or type(function) is not str or not cached:
            continue
        path = f"{function}()" if module == "__main__" else f"{module}.{function}()"
        numbers[path] = numbers.get(path, 0) + 1
        name = f"{path}#{numbers[path]}"
        root = Root("function_cache", f"cache of {path}", cached, name=name)
        root.cache = weakref.ref(cache)
        roots.append(root)
    return roots


def threads() -> List[Root]:
    """Return the threads of the user: what their functions have at hand, and were given."""
    frames: Dict[int, Any] = dict(sys._current_frames())
    # A name for our own frame would be a cycle, and keep all that our callers hold.
    frames.pop(threading.get_ident(), None)
    roots = []
    for thread in threading.enumerate():
        if thread.ident == threading.get_ident() or thread.name.startswith(_OF_KERNEL):
            continue
        starts: List[Any] = []
        frame = frames.get(thread.ident or 0)
        while frame is not None:
            starts.append(frame)
            frame = frame.f_back
        # First what the user has written: "in generate()" says more than "in put()".
        starts.sort(key=lambda frame: is_library_file(frame.f_code.co_filename))
        given = [vars(thread).get(name) for name in ("_target", "_args", "_kwargs")]
        given += [vars(thread).get(name) for name in ("function", "args", "kwargs")]  # Timer
        starts += [g for g in given if g is not None]
        path = f"thread {plain(thread.name, 60)}"
        roots.append(Root("thread", path, starts, name=f"{thread.name}#{thread.ident}"))
    return roots


def tasks(shell: Any) -> List[Root]:
    """Return the tasks of the kernel's event loop, and the calls that it will make later."""
    asyncio: Any = sys.modules.get("asyncio")
    loop = getattr(getattr(shell.kernel, "io_loop", None), "asyncio_loop", None)
    if asyncio is None or loop is None:
        return []
    roots = []
    for task in asyncio.all_tasks(loop):
        name = plain(str(task.get_name()), 60) if hasattr(task, "get_name") else "task"
        roots.append(Root("task", f"asyncio task {name}", [task], name=name))
    waiting = [*getattr(loop, "_scheduled", ()), *getattr(loop, "_ready", ())]
    if waiting:
        roots.append(Root("task", "call that asyncio will make", waiting, name="calls"))
    return roots


def modules(kinds: Kinds, shell: Any, *, of_libraries: bool) -> List[Root]:
    """Return the globals of imported modules, one root each."""
    roots = []
    for module_name, module in list(sys.modules.items()):
        if type(module_name) is not str or not issubclass(type(module), types.ModuleType):
            continue
        names = types.ModuleType.__getattribute__(module, "__dict__")
        if names is shell.user_ns or module_name.startswith(_OURS):
            continue
        if is_library(module) is not of_libraries:
            continue
        for name, value in list(names.items()):
            if module_name == "sys" and name in _LAST:
                continue  # the last exception, a root of its own
            if type(name) is str and _is_own(kinds, module_name, value):
                name = f"{module_name}.{name}"
                roots.append(Root("module", f"module {name}", [value], name=name))
    return roots


def _is_own(kinds: Kinds, module_name: str, value: Any) -> bool:
    """Tell whether a global can lead anywhere, and is not borrowed from another module."""
    kind = kinds.of(type(value))
    if kind == CLASS:
        return bool(type.__dict__["__module__"].__get__(value) == module_name)
    if type(value) is types.FunctionType:
        return value.__module__ == module_name
    return kinds.leads_on(kind)
