"""The routes that only tell: history and diagnostics."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from tornado import web

from ..errors import BadRequest
from ..wire import NAMESPACE
from .diagnostics import diagnose

if TYPE_CHECKING:
    from .history import HistoryRing
    from .snapshot import Snapshots

AUTH_RESOURCE = "kernels"


class HistoryHandler(APIHandler):
    """``GET history``: the figures of the last minutes."""

    auth_resource = AUTH_RESOURCE
    # An open panel must not keep a hub's server from its culler.
    _track_activity = False

    def initialize(self, history: HistoryRing) -> None:
        """Take what the route needs."""
        self._history = history

    @web.authenticated
    @authorized
    async def get(self) -> None:
        """Answer 200 with the points later than ``since_ms``, or with all of them."""
        try:
            since_ms = _milliseconds(self.get_query_argument("since_ms", None))
        except BadRequest as error:
            self.set_status(error.status)
            self.finish(json.dumps(error.body()))
        else:
            self.finish(json.dumps(self._history.since(since_ms)))


class DiagnosticsHandler(APIHandler):
    """``GET diagnostics``: what works, what does not, and what to do."""

    auth_resource = AUTH_RESOURCE
    _track_activity = False

    def initialize(self, snapshots: Snapshots) -> None:
        """Take what the route needs."""
        self._snapshots = snapshots

    @web.authenticated
    @authorized
    async def get(self) -> None:
        """Answer 200, whatever is wrong."""
        self.finish(json.dumps(await diagnose(self._snapshots)))


def reading_routes(
    *, history: HistoryRing, snapshots: Snapshots
) -> list[tuple[str, Any, dict[str, Any]]]:
    """Return the routes below the server's base URL."""
    return [
        (rf"/{NAMESPACE}/history", HistoryHandler, {"history": history}),
        (rf"/{NAMESPACE}/diagnostics", DiagnosticsHandler, {"snapshots": snapshots}),
    ]


def _milliseconds(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        return int(text)
    except ValueError:
        raise BadRequest("since_ms: expected milliseconds since 1970", field="since_ms") from None
