"""One picture of devices and kernels, joined from the sampler and the conversations.

Knows neither NVML nor HTTP.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Protocol

from ..wire import WIRE_VERSION
from .attributor import pids_of
from .cells import cell_view
from .views import document, provider_view

if TYPE_CHECKING:
    from ..devices.host import HostProvider
    from ..devices.provider import Sweep
    from ..devices.sampler import Sampler
    from ..wire import Cells, Kernel, KernelDevice, Snapshot
    from .attributor import Attributor
    from .history import HistoryRing
    from .kernels.agents import Agents
    from .kernels.conversation import Conversation
    from .kernels.operations import Operations


class SessionList(Protocol):
    """Where documents and their kernels are listed: Jupyter Server's session manager."""

    async def list_sessions(self) -> list[dict[str, Any]]:
        """Return the session models."""


class Snapshots:
    """Make snapshots.

    Clients that ask within one interval get the same bytes unless something changed.
    """

    def __init__(
        self,
        *,
        sampler: Sampler,
        host: HostProvider | None,
        agents: Agents,
        attributor: Attributor,
        operations: Operations,
        sessions: SessionList,
        history: HistoryRing,
        interval_s: float,
    ) -> None:
        self._sampler = sampler
        self._host = host
        self._agents = agents
        self._attributor = attributor
        self._operations = operations
        self._sessions = sessions
        self._history = history
        self._interval_s = interval_s
        self._present: Snapshot
        self._encoded = b""
        self._encoded_at = 0.0
        self._encoded_from: object = None
        self._making = asyncio.Lock()

    async def encoded(self) -> bytes:
        """Return the present snapshot as JSON."""
        # One at a time: of many that ask at once the first makes it for all.
        async with self._making:
            return await self._encode()

    async def present(self) -> Snapshot:
        """Return the present snapshot."""
        async with self._making:
            await self._encode()
        return self._present

    async def _encode(self) -> bytes:
        conversations = self._agents.refresh(watched=True)
        sweep = await self._sweep(conversations)
        states = [self._execution_state(conversation) for conversation in conversations.values()]
        made_from = (
            sweep.seq,
            sweep.statuses,
            self._agents.revision,
            self._operations.revision,
            states,
        )
        now = time.monotonic()
        if made_from != self._encoded_from or now - self._encoded_at >= self._interval_s:
            snapshot = await self._join(sweep, conversations)
            self._history.record(snapshot)
            self._present = snapshot
            self._encoded = json.dumps(snapshot).encode()
            self._encoded_at = now
            self._encoded_from = made_from
        return self._encoded

    async def kernel_devices(self, kernel_id: str) -> list[KernelDevice]:
        """Read the devices now and return the memory of one kernel."""
        conversations = self._agents.refresh(watched=True)
        sweep = await self._sweep(conversations, fresh=True)
        shown = await self._attributor.attribute(sweep.readings, conversations)
        return shown.kernels[kernel_id]

    async def cells(self, kernel_id: str) -> Cells:
        """Return what the last cells of a kernel did."""
        conversation = self._agents.get(kernel_id, watched=True)
        conversations = self._agents.refresh(watched=True)
        sweep = await self._sweep(conversations)
        shown = await self._attributor.attribute(sweep.readings, conversations)
        shares = shown.kernels.get(kernel_id, [])
        cells = [cell_view(cell, shares) for cell in conversation.cells.all()]
        return {"wire_version": WIRE_VERSION, "cells": cells}

    async def _sweep(self, conversations: dict[str, Conversation], *, fresh: bool = False) -> Sweep:
        if self._host is not None:
            shown = self._attributor.shows_host_memory
            self._host.watch(pids_of(conversations) if shown else ())
        return await self._sampler.sweep(fresh=fresh)

    async def _join(self, sweep: Sweep, conversations: dict[str, Conversation]) -> Snapshot:
        shown = await self._attributor.attribute(sweep.readings, conversations)
        sessions = await self._sessions_by_kernel()
        return {
            "wire_version": WIRE_VERSION,
            "taken_at_ms": int(time.time() * 1000),
            "interval_ms": round(self._interval_s * 1000),
            "providers": [provider_view(status) for status in sweep.statuses],
            "devices": shown.devices,
            "kernels": [
                self._kernel(kernel_id, conversation, shown.kernels[kernel_id], sessions[kernel_id])
                for kernel_id, conversation in conversations.items()
            ],
        }

    async def _sessions_by_kernel(self) -> dict[str, list[dict[str, Any]]]:
        sessions: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for session in await self._sessions.list_sessions():
            sessions[session["kernel"]["id"]].append(session)
        return sessions

    def _kernel(
        self,
        kernel_id: str,
        conversation: Conversation,
        shares: list[KernelDevice],
        sessions: list[dict[str, Any]],
    ) -> Kernel:
        path, name, opened_by = document(sessions)
        figures, last_cell = conversation.figures, conversation.cells.last
        last_activity = getattr(conversation.km, "last_activity", None)
        return {
            "id": kernel_id,
            "name": conversation.km.kernel_name,
            "display_name": conversation.display_name,
            "path": path,
            "document_name": name,
            "document_type": opened_by,
            "execution_state": self._execution_state(conversation),
            "last_activity_ms": int(last_activity.timestamp() * 1000) if last_activity else None,
            "pid": conversation.pid,
            "agent": conversation.agent,
            "devices": shares,
            "allocator_backend": figures["backend"] if figures else None,
            "expandable_segments": figures["expandable_segments"] if figures else None,
            "libraries": figures["libraries"] if figures else [],
            "last_cell": cell_view(last_cell, shares) if last_cell else None,
            "operation": self._operations.of(kernel_id),
            "last_free": self._operations.last(kernel_id),
        }

    @staticmethod
    def _execution_state(conversation: Conversation) -> str:
        state: str = getattr(conversation.km, "execution_state", "unknown")
        return "busy" if conversation.busy and state == "idle" else state
