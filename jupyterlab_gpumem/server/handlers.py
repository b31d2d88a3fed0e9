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
            self._refuse(error)
        else:
            self.finish(json.dumps(answer))

    @web.authenticated
    @authorized
    async def get(self, kernel_id: str) -> None:
        """Answer 200 with what is under way and how the last cleanup ended."""
        try:
            self.finish(json.dumps(self._operations.status(kernel_id)))
        except GpuMemError as error:
            self._refuse(error)

    @web.authenticated
    @authorized("execute")  # type: ignore[untyped-decorator] # as above
    async def delete(self, kernel_id: str) -> None:
        """Cancel the cleanup that waits; answer 200 with the status."""
        try:
            self._operations.cancel(kernel_id)
            self.finish(json.dumps(self._operations.status(kernel_id)))
        except GpuMemError as error:
            self._refuse(error)

    def _refuse(self, error: GpuMemError) -> None:
        self.set_status(error.status)
        self.finish(json.dumps(error.body()))


def routes(
    *, snapshots: Snapshots, operations: Operations
) -> list[tuple[str, Any, dict[str, Any]]]:
    """Return the routes below the server's base URL."""
    return [
        (rf"/{NAMESPACE}/snapshot", SnapshotHandler, {"snapshots": snapshots}),
        (
            rf"/{NAMESPACE}/kernels/([^/]+)/free",
            FreeHandler,
            {"operations": operations, "snapshots": snapshots},
        ),
    ]
