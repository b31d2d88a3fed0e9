"""The requests that bring the agent into a kernel and ask it something.

All work is done in ``user_expressions`` of an empty silent cell: nothing is bound, numbered or
stored, no source is kept for tracebacks, no hook of a cell runs, and the value goes to the asker
alone.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import uuid
import zlib
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...wire import COMM_TARGET
from .replies import EXPRESSION, Aborted, NoAnswer, ReplyError, read_push, read_reply

if TYPE_CHECKING:
    from ...wire import Level

__all__ = [
    "Aborted",
    "NoAnswer",
    "ReplyError",
    "agent_version",
    "attach_content",
    "figures_request",
    "free_content",
    "holders_content",
    "read_push",
    "read_reply",
]

PACKAGE = "_jupyterlab_gpumem"
"""Name of the agent's package in the kernel; not ours, which the user may have installed there."""

_ROOT = Path(__file__).parents[2]
# The user can have given any builtin another meaning, ``__import__`` too, and a failing expression
# would replace their last exception: so the builtins are taken from where Python looks for them.
_BUILTINS = "(lambda: 0).__globals__['__builtins__']"


def attach_content(*, beside: bool = False) -> dict[str, Any]:
    """Return an execute request that installs the agent if this version is not there yet.

    Answered by a greeting; nothing is shown or stored in the kernel. ``beside`` is for the control
    channel, where it is answered while a cell runs.
    """
    # Else the cell could not ask for input any more: the kernel has one such flag for all.
    return {**_content(_attach_expression()), "allow_stdin": beside}


def free_content(
    level: Level,
    *,
    keep_imports: bool,
    cell: int | None,
    ids: list[str] | None = None,
    keep: list[str] | None = None,
    dry_run: bool = False,
) -> dict[str, Any]:
    """Return an execute request that frees memory.

    ``cell`` is the number in the last push: the agent refuses if more cells have run since.
    """
    return _call(
        "free",
        *(f"level={str(level)!r}", f"keep_imports={bool(keep_imports)!r}", f"cell={cell!r}"),
        *(f"ids={ids!r}", f"keep={keep!r}", f"dry_run={bool(dry_run)!r}"),
    )


def holders_content(*, limit: int, offset: int, limit_s: float, cell: int | None) -> dict[str, Any]:
    """Return an execute request that asks who holds memory."""
    options = (f"limit={limit!r}", f"offset={offset!r}", f"limit_s={limit_s!r}", f"cell={cell!r}")
    return _call("holders", *options)


def _call(function: str, *options: str) -> dict[str, Any]:
    agent = f"{_BUILTINS}.__import__('sys').modules.get({f'{PACKAGE}.agent'!r})"
    # A missing agent is a value: an exception would replace the user's last one.
    call = f"{_BUILTINS}.getattr({agent}, {function!r}, lambda **_: None)"
    return _content(f"{call}({', '.join(options)})")


def figures_request() -> dict[str, Any]:
    """Return the content of a ``comm_open`` that the agent answers with a push of its figures."""
    return {"comm_id": uuid.uuid4().hex, "target_name": COMM_TARGET, "data": {"request": "figures"}}


@functools.cache
def agent_version() -> str:
    """Return the version of the agent's source, new with every change of it."""
    digest = hashlib.sha256("".join([_boot_text(), _payload()]).encode()).hexdigest()
    return f"{_package_version()}+{digest[:12]}"


def _content(expression: str) -> dict[str, Any]:
    return {
        "code": "",
        "silent": True,
        "store_history": False,
        "allow_stdin": False,
        "stop_on_error": False,
        "user_expressions": {EXPRESSION: expression},
    }


@functools.cache
def _attach_expression() -> str:
    scope = {"__name__": f"{PACKAGE}_boot"}
    return (
        f"(lambda scope: [{_BUILTINS}.exec({_boot_text()!r}, scope),"
        f" scope['boot']({agent_version()!r}, {_payload()!r})][1])({scope!r})"
    )


@functools.cache
def _boot_text() -> str:
    return (_ROOT / "agent" / "boot.py").read_text(encoding="utf-8")


@functools.cache
def _payload() -> str:
    """Pack the sources of the agent, by the name each module has in the kernel."""
    texts = {PACKAGE: "", f"{PACKAGE}.wire": (_ROOT / "wire.py").read_text(encoding="utf-8")}
    for path in sorted((_ROOT / "agent").rglob("*.py")):
        parts = path.relative_to(_ROOT).with_suffix("").parts
        name = ".".join(part for part in (PACKAGE, *parts) if part != "__init__")
        if name != f"{PACKAGE}.agent.boot":
            texts[name] = path.read_text(encoding="utf-8")
    packed = zlib.compress(json.dumps(texts).encode(), 9)
    return base64.b85encode(packed).decode()


def _package_version() -> str:
    try:
        return metadata.version("jupyterlab-gpumem")
    except metadata.PackageNotFoundError:  # a checkout that was never installed
        return "0"
