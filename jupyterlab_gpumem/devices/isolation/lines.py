"""What goes over the pipe: one JSON object a line, a question down and an answer up."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from jupyterlab_gpumem.devices.provider import (
    DeviceInfo,
    DeviceSample,
    ProcessEntry,
    ProviderUnavailable,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jupyterlab_gpumem.devices.provider import Provider


def write(message: dict[str, Any]) -> bytes:
    """Return a message as a line."""
    return json.dumps(message).encode() + b"\n"


def read(line: bytes) -> dict[str, Any]:
    """Return the message in a line."""
    message: dict[str, Any] = json.loads(line)
    return message


def answer(provider: Provider, question: dict[str, Any]) -> dict[str, Any]:
    """Ask the provider, and return what it says or raises."""
    try:
        return {"value": _ask(provider, question)}
    except ProviderUnavailable as refused:
        return {"refused": [refused.state, refused.detail, refused.hint]}
    except Exception as error:  # noqa: BLE001 - the border: raised again on the other side
        return {"failed": f"{type(error).__name__}: {error}"}


def value_of(answer: dict[str, Any]) -> Any:
    """Return what an answer carries; raises what the provider has raised."""
    if "refused" in answer:
        state, detail, hint = answer["refused"]
        raise ProviderUnavailable(state, detail, hint)
    if "failed" in answer:
        raise ProviderUnavailable("error", answer["failed"], "report_bug")
    return answer["value"]


def devices_of(value: Any) -> list[DeviceInfo]:
    """Return the devices in an answer."""
    return [DeviceInfo(**fields) for fields in value]


def sample_of(value: Any) -> DeviceSample:
    """Return the sample in an answer."""
    return DeviceSample(**value)


def processes_of(value: Any) -> Sequence[ProcessEntry] | None:
    """Return the process list in an answer."""
    return None if value is None else [ProcessEntry(*fields) for fields in value]


def _ask(provider: Provider, question: dict[str, Any]) -> Any:
    if question["call"] == "devices":
        return [vars(info) for info in provider.devices()]
    info = DeviceInfo(**question["device"])
    if question["call"] == "sample":
        return vars(provider.sample(info))
    entries = provider.processes(info)
    return entries and [(entry.pid, entry.used_bytes, entry.kind) for entry in entries]
