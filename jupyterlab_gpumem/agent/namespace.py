"""The user's names, and a reset that keeps what a notebook goes on with."""

from __future__ import annotations

from typing import Any, Collection, List, Tuple

from .text import plain


def user_variables(shell: Any, kept: Collection[str]) -> List[str]:
    """Name the variables that a reset drops, as ``%who`` would list them."""
    hidden = shell.user_ns_hidden
    nothing = object()
    return [
        plain(name, 200)
        for name, value in list(shell.user_ns.items())
        if type(name) is str
        and not name.startswith("_")
        and name not in kept
        and hidden.get(name, nothing) is not value
    ]


def reset_namespace(shell: Any) -> None:
    """Drop everything the user made; numbering, history, extensions and hooks go on."""
    shell.reset(new_session=False)


def release_names(shell: Any, names: Collection[str]) -> None:
    """Drop variables by name, from the hidden namespace too."""
    for namespace in (shell.user_ns, shell.user_ns_hidden):
        for name in names:
            namespace.pop(name, None)


def release_script_names(shell: Any, names: Collection[str]) -> None:
    """Drop names, each ``NAME@PLACE``, from the modules that ``%run`` has left."""
    for place, module in list(getattr(shell, "_main_mod_cache", {}).items()):
        for name in list(vars(module)):
            if f"{name}@{place}" in names:
                del vars(module)[name]


def user_aliases(shell: Any) -> List[Tuple[str, str]]:
    """Return the aliases of shell commands, which a reset forgets."""
    return list(shell.alias_manager.aliases)


def restore_aliases(shell: Any, aliases: List[Tuple[str, str]]) -> None:
    """Define the aliases again that a reset has forgotten."""
    present = {name for name, _ in shell.alias_manager.aliases}
    for name, command in aliases:
        if name not in present:
            shell.alias_manager.soft_define_alias(name, command)


def release_store(shell: Any) -> None:
    """Drop the live objects that ``%store`` keeps beside the files."""
    uncache = getattr(getattr(shell, "db", None), "uncache", None)
    if uncache is not None:
        uncache()


def release_debugger(shell: Any) -> None:
    """Drop the namespace that the debugger's panel of variables has tracked."""
    debugger: Any = getattr(shell.kernel, "debugger", None)
    explorer = getattr(debugger, "variable_explorer", None)
    if explorer is not None and getattr(explorer, "frame", None) is not None:
        explorer.untrack_all()
        debugger.variable_explorer = type(explorer)()
