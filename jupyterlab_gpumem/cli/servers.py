"""The user's own running servers: what they say of their kernels."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any

from jupyter_server.serverapp import list_running_servers

from ..devices.checks import check
from ..wire import NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..wire import Check

HINTS = frozenset({"extension_missing", "sign_in"})
"""Codes of remedies that only this command gives."""
ANSWER_LIMIT_S = 20.0
REFUSALS = {401: "sign_in", 403: "sign_in", 404: "extension_missing"}


def running_servers() -> list[Mapping[str, Any]]:
    """Return what the servers of this user have written about themselves, as ``jupyter list``."""
    return list(list_running_servers())


def server_checks(server: Mapping[str, Any]) -> list[Check]:
    """Ask a running server for its kernels; one that does not answer is a finding, no failure."""
    url = str(server["url"])
    if not url.startswith(("http://", "https://")):
        return [check("server", "info", f"{url}: listens on a socket file and is not asked")]
    try:
        found = _ask(url, str(server.get("token") or ""))
        kernels = [_kernel(entry) for entry in found["checks"] if entry["name"] == "kernel"]
    except urllib.error.HTTPError as error:
        with error:
            hint = REFUSALS.get(error.code)
            return [check("server", "warning", f"{url}: answered {error.code}", hint)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = getattr(error, "reason", error)
        return [check("server", "warning", f"{url}: gave no answer ({reason})")]
    count = f"{len(kernels)} kernel{'s' * (len(kernels) != 1)}"
    return [check("server", "ok", f"{url}: {count}"), *kernels]


def _ask(url: str, token: str) -> Any:
    request = urllib.request.Request(f"{url.rstrip('/')}/{NAMESPACE}/diagnostics")  # noqa: S310
    if token:
        request.add_header("Authorization", f"token {token}")
    # A server of this computer is not behind the proxy of the network.
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(request, timeout=ANSWER_LIMIT_S) as response:
        return json.load(response)


def _kernel(entry: Any) -> Check:
    return check("kernel", entry["state"], str(entry["detail"]), entry["hint"])
