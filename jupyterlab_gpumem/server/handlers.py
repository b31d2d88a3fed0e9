"""The REST routes. A missing GPU is no HTTP error: the snapshot says it in its body."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from tornado import web

from ..errors import GpuMemError
from ..wire import NAMESPACE
from .body import read_free_request

if TYPE_CHECKING:
    from .kernels.agents import Agents
    from .kernels.operations import Operations
    from .snapshot import Snapshots

AUTH_RESOURCE = "kernels"


class SnapshotHandler(APIHandler):
    """``GET snapshot``: all that the panel shows."""

    auth_resource = AUTH_RESOURCE
    # An open panel must not keep a hub's server from its culler.
    _track_activity = False

    def initialize(self, snapshots: Snapshots) -> None:
        """Take what the route needs."""
        self._snapshots = snapshots

    @web.authenticated
    @authorized
    async def get(self) -> None:
        """Answer 200 with the snapshot, or 304 if the client has it already (ETag)."""
        self.finish(await self._snapshots.encoded())


class FreeHandler(APIHandler):
    """``kernels/{id}/free``: clean up in a kernel, and ask what came of it."""

    auth_resource = AUTH_RESOURCE
    # The page asks for a report on its own, when a cleanup that waited has run.
    _track_activity = False

    def initialize(self, operations: Operations, snapshots: Snapshots) -> None:
        """Take what the route needs."""
        self._operations = operations
        self._snapshots = snapshots

    @web.authenticated
    @authorized("execute")  # type: ignore[untyped-decorator] # jupyter_server types its bare form only
    async def post(self, kernel_id: str) -> None:
        """Answer 200 with the report, or 202 with the status if it waits for a cell.

        Else an error body says why nothing was done.
        """
        try:
            request = read_free_request(self.request.body)
            report = await self._operations.free(kernel_id, request, self._snapshots)
            if report is None:
                self.set_status(202)
            answer: Any = report or self._operations.status(kernel_id)
        except GpuMemError as error:
            refuse(self, error)
        else:
            self.finish(json.dumps(answer))

    @web.authenticated
    @authorized
    async def get(self, kernel_id: str) -> None:
        """Answer 200 with what is under way and how the last cleanup ended."""
        try:
            self.finish(json.dumps(self._operations.status(kernel_id)))
        except GpuMemError as error:
            refuse(self, error)

    @web.authenticated
    @authorized("execute")  # type: ignore[untyped-decorator] # as above
    async def delete(self, kernel_id: str) -> None:
        """Cancel the cleanup that waits; answer 200 with the status."""
        try:
            self._operations.cancel(kernel_id)
            self.finish(json.dumps(self._operations.status(kernel_id)))
        except GpuMemError as error:
            refuse(self, error)


class RefreshHandler(APIHandler):
    """``POST kernels/{id}/refresh``: ask an idle kernel for its figures."""

    auth_resource = AUTH_RESOURCE

    def initialize(self, agents: Agents) -> None:
        """Take what the route needs."""
        self._agents = agents

    @web.authenticated
    @authorized("execute")  # type: ignore[untyped-decorator] # as above
    async def post(self, kernel_id: str) -> None:
        """Answer 200 when the figures have come, or with ``fresh`` false if they are the last."""
        try:
            self.finish(json.dumps(await self._agents.refreshed(kernel_id)))
        except GpuMemError as error:
            refuse(self, error)


class CellsHandler(APIHandler):
    """``GET kernels/{id}/cells``: what the last cells did to the memory."""

    auth_resource = AUTH_RESOURCE
    _track_activity = False

    def initialize(self, snapshots: Snapshots) -> None:
        """Take what the route needs."""
        self._snapshots = snapshots

    @web.authenticated
    @authorized
    async def get(self, kernel_id: str) -> None:
        """Answer 200 with the cells."""
        try:
            self.finish(json.dumps(await self._snapshots.cells(kernel_id)))
        except GpuMemError as error:
            refuse(self, error)


def refuse(handler: APIHandler, error: GpuMemError) -> None:
    """Answer with an error body."""
    handler.set_status(error.status)
    handler.finish(json.dumps(error.body()))


def routes(
    *, snapshots: Snapshots, operations: Operations, agents: Agents
) -> list[tuple[str, Any, dict[str, Any]]]:
    """Return the routes below the server's base URL."""
    return [
        (rf"/{NAMESPACE}/snapshot", SnapshotHandler, {"snapshots": snapshots}),
        (
            rf"/{NAMESPACE}/kernels/([^/]+)/free",
            FreeHandler,
            {"operations": operations, "snapshots": snapshots},
        ),
        (rf"/{NAMESPACE}/kernels/([^/]+)/refresh", RefreshHandler, {"agents": agents}),
        (rf"/{NAMESPACE}/kernels/([^/]+)/cells", CellsHandler, {"snapshots": snapshots}),
    ]
