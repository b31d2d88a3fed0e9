"""Read the bodies of requests: what is wrong is said with the path of the field."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, get_args

from ..errors import BadRequest
from ..wire import Level, WhenBusy

if TYPE_CHECKING:
    from ..wire import FreeRequest

FIELDS = ("level", "keep_imports", "when_busy", "ids", "keep", "dry_run")
MAX_IDS = 1000
MAX_ID = 250


def read_free_request(body: bytes) -> FreeRequest:
    """Read the body of ``POST kernels/{id}/free``; raises :class:`BadRequest`."""
    fields = _read_object(body)
    for name in fields:
        if name not in FIELDS:
            raise BadRequest(f"{name}: unknown field, known are {', '.join(FIELDS)}", field=name)
    if "level" not in fields:
        raise BadRequest(f"level: missing, one of {_names(Level)}", field="level")
    level: Any = _one_of(fields, "level", Level)
    request: FreeRequest = {"level": level}
    if "keep_imports" in fields:
        request["keep_imports"] = _boolean(fields, "keep_imports")
    if "when_busy" in fields:
        when_busy: Any = _one_of(fields, "when_busy", WhenBusy)
        request["when_busy"] = when_busy
    _read_choice(fields, request)
    return request


def _read_choice(fields: dict[str, Any], request: FreeRequest) -> None:
    if "ids" in fields:
        request["ids"] = _ids(fields, "ids")
    if "keep" in fields:
        request["keep"] = _ids(fields, "keep")
    if "dry_run" in fields:
        request["dry_run"] = _boolean(fields, "dry_run")
    for name in ("ids", "keep", "dry_run"):
        if name in fields and request["level"] != "objects":
            raise BadRequest(f"{name}: only for level objects", field=name)


def _boolean(fields: dict[str, Any], name: str) -> bool:
    value = fields[name]
    if not isinstance(value, bool):
        raise BadRequest(f"{name}: expected true or false", field=name)
    return value


def _ids(fields: dict[str, Any], name: str) -> list[str]:
    value = fields[name]
    if not isinstance(value, list) or len(value) > MAX_IDS:
        raise BadRequest(f"{name}: expected a list of at most {MAX_IDS} ids", field=name)
    for number, item in enumerate(value):
        if not isinstance(item, str) or len(item) > MAX_ID:
            where = f"{name}[{number}]"
            raise BadRequest(f"{where}: expected the id of a holder", field=where)
    return value


def _read_object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"the body is not JSON: {error}", field="$") from error
    if not isinstance(value, dict):
        raise BadRequest("the body must be a JSON object", field="$")
    return value


def _one_of(fields: dict[str, Any], name: str, choices: Any) -> str:
    value = fields[name]
    if not isinstance(value, str) or value not in get_args(choices):
        raise BadRequest(f"{name}: expected one of {_names(choices)}", field=name)
    return value


def _names(choices: Any) -> str:
    return ", ".join(get_args(choices))
