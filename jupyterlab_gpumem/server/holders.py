"""The route that tells who holds the memory of a kernel."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from tornado import web

from ..errors import BadRequest, GpuMemError
from ..wire import NAMESPACE
from .kernels.holders import HolderSearch, Query

if TYPE_CHECKING:
    from .kernels.agents import Agents
    from .kernels.operations import Operations
    from .snapshot import Snapshots

LIMITS = {"limit": (50, 1, 200), "offset": (0, 0, 1_000_000), "timeout_ms": (5000, 100, 30_000)}
"""Default, least and most of each number in the query."""


class HoldersHandler(APIHandler):
    """``GET kernels/{id}/holders``: who holds memory, largest first."""

    auth_resource = "kernels"
    _track_activity = False

    def initialize(self, search: HolderSearch, snapshots: Snapshots) -> None:
        """Take what the route needs."""
        self._search = search
        self._snapshots = snapshots

    @web.authenticated
    @authorized
    async def get(self, kernel_id: str) -> None:
        """Answer 200 with holders and tensors, or an error body that says why there are none."""
        try:
            query = Query(**{name: self._number(name) for name in LIMITS})
            found = await self._search.run(kernel_id, query, self._snapshots)
        except GpuMemError as error:
            self.set_status(error.status)
            self.finish(json.dumps(error.body()))
        else:
            self.finish(json.dumps(found))

    def _number(self, name: str) -> int:
        default, least, most = LIMITS[name]
        text = self.get_query_argument(name, str(default))
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            message = f"{name}: expected a whole number from {least} to {most}"
            raise BadRequest(message, field=name)
        return int(text)


def holder_routes(
    *, agents: Agents, operations: Operations, snapshots: Snapshots
) -> list[tuple[str, Any, dict[str, Any]]]:
    """Return the route below the server's base URL."""
    search = HolderSearch(agents, operations)
    options = {"search": search, "snapshots": snapshots}
    return [(rf"/{NAMESPACE}/kernels/([^/]+)/holders", HoldersHandler, options)]
