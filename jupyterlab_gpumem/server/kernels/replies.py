"""What a kernel says, checked: any code can run there, so all of it is hostile until read here."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints, is_typeddict

from ...wire import AgentReply, Push

EXPRESSION = "gpumem"
"""Key of our expression among the ``user_expressions``."""

MAX_INT = 2**53 - 1
"""What a page can count exactly, and more bytes than there are."""
MAX_ITEMS = 256
MAX_TEXT = 500
# The contract is stricter on these; by type and field.
TEXT_LIMITS = {
    ("Allocator", "name"): 120,
    ("Allocator", "pci"): 40,
    ("Allocator", "uuid"): 80,
    ("AgentCell", "cell_id"): 80,
    ("AgentCell", "error"): 80,
    ("AgentCellDevice", "uuid"): 80,
    ("AgentHello", "version"): 80,
    ("LibraryMemory", "device"): 40,
    ("Push", "backend"): 40,
    ("Dropped", "path"): 200,
    ("DeviceBytes", "device"): 40,
    ("Explanation", "other"): 200,
    ("Explanation", "path"): 200,
    ("HeldTensor", "device"): 40,
    ("HeldTensor", "dtype"): 40,
    ("HeldTensor", "holder"): 250,
    ("HeldTensor", "path"): 300,
    ("Holder", "detail"): 300,
    ("Holder", "id"): 250,
    ("Holder", "path"): 200,
    ("Holder", "shared_with"): 200,
    ("StillHeld", "path"): 300,
    ("Step", "name"): 80,
}
ITEM_LIMITS = {
    ("AgentFreeReport", "dropped"): 200,
    ("AgentFreeReport", "explanations"): 32,
    ("AgentFreeReport", "still_held"): 50,
    ("HeldTensor", "shape"): 16,
    ("Holder", "categories"): 6,
    ("Holder", "devices"): 64,
    ("Holder", "shared_with"): 8,
    ("Holders", "explanations"): 32,
    ("Holders", "holders"): 200,
    ("Holders", "tensors"): 200,
}


class ReplyError(Exception):
    """The kernel's answer cannot be used."""


class Aborted(ReplyError):
    """A cell before the request failed, and took the request along: ask again."""


class NoAnswer(ReplyError):
    """Nobody answered in the kernel: the agent is gone, or a name of Python was overwritten."""


def read_reply(content: dict[str, Any]) -> AgentReply:
    """Read the content of an execute reply; raises :class:`ReplyError`."""
    status = content.get("status")
    if status == "aborted":
        raise Aborted("A cell failed, and the kernel dropped the requests behind it.")
    if status != "ok":
        raise ReplyError(f"The kernel answered {_short(content.get('ename') or status)}.")
    expressions = content.get("user_expressions")
    answer = expressions.get(EXPRESSION) if isinstance(expressions, dict) else None
    if not isinstance(answer, dict):
        raise ReplyError("The kernel did not evaluate our expression.")
    if answer.get("status") != "ok":
        raise NoAnswer(f"{_short(answer.get('ename'))}: {_short(answer.get('evalue'))}")
    data = answer.get("data")
    if not isinstance(data, dict) or "application/json" not in data:
        raise NoAnswer("The agent is not in the kernel.")
    reply = data["application/json"]
    kind = reply.get("kind") if isinstance(reply, dict) else None
    for expected in get_args(AgentReply):
        if kind in get_args(_fields(expected)["kind"]):
            return cast("AgentReply", _checked(reply, expected, "reply"))
    raise ReplyError("reply.kind: unknown")


def read_push(data: Any) -> Push:
    """Read the data of the agent's comm message; raises :class:`ReplyError`."""
    return cast("Push", _checked(data, Push, "push"))


@cache
def _fields(shape: Any) -> dict[str, Any]:
    return get_type_hints(shape)


def _checked(value: Any, shape: Any, path: str, limits: tuple[str, str] = ("", "")) -> Any:
    """Return ``value`` if it has the shape of a wire type; the path says where it has not."""
    origin = get_origin(shape)
    if origin is Union:
        return _checked_optional(value, shape, path, limits)
    if is_typeddict(shape):
        return _checked_object(value, shape, path)
    if origin is list:
        if type(value) is not list or len(value) > ITEM_LIMITS.get(limits, MAX_ITEMS):
            raise ReplyError(f"{path}: expected a list of moderate length")
        (item,) = get_args(shape)
        return [_checked(v, item, f"{path}[{i}]", limits) for i, v in enumerate(value)]
    if origin is Literal:
        if not any(type(value) is type(known) and value == known for known in get_args(shape)):
            raise ReplyError(f"{path}: unknown value")
        return value
    if type(value) is not shape:
        raise ReplyError(f"{path}: expected {shape.__name__}")
    if shape is int and not 0 <= value <= MAX_INT:
        raise ReplyError(f"{path}: out of range")
    if shape is str and len(value) > TEXT_LIMITS.get(limits, MAX_TEXT):
        raise ReplyError(f"{path}: too long")
    return value


def _checked_optional(value: Any, shape: Any, path: str, limits: tuple[str, str]) -> Any:
    if value is None and type(None) in get_args(shape):
        return None
    (inner,) = (s for s in get_args(shape) if s is not type(None))
    return _checked(value, inner, path, limits)


def _checked_object(value: Any, shape: Any, path: str) -> dict[str, Any]:
    fields = _fields(shape)
    if type(value) is not dict or value.keys() != fields.keys():
        raise ReplyError(f"{path}: expected the fields {', '.join(fields)}")
    return {
        name: _checked(value[name], field, f"{path}.{name}", (shape.__name__, name))
        for name, field in fields.items()
    }


def _short(value: Any) -> str:
    return str(value)[:MAX_TEXT]
