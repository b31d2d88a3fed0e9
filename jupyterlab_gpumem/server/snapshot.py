"""One picture of devices and kernels, joined from the sampler and the conversations.

Knows neither NVML nor HTTP.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ..wire import WIRE_VERSION
from .views import HOST_KIND, device_view, document, kernel_devices, provider_view

if TYPE_CHECKING:
    from ..devices.host import HostProvider
    from ..devices.provider import DeviceReading, Sweep
    from ..devices.sampler import Sampler
    from ..wire import Device, Kernel, KernelDevice, Snapshot
    from .history import HistoryRing
    from .kernels.agents import Agents
    from .kernels.conversation import Conversation
    from .kernels.operations import Operations
    from .kernels.owners import Owner, Owners


class SessionList(Protocol):
    """Where documents and their kernels are listed: Jupyter Server's session manager."""

    async def list_sessions(self) -> list[dict[str, Any]]:
        """Return the session models."""


HostMemory = Literal["auto", "always", "never"]


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
        owners: Owners,
        operations: Operations,
        sessions: SessionList,
        history: HistoryRing,
        interval_s: float,
        show_host_memory: HostMemory,
    ) -> None:
        self._sampler = sampler
        self._host = host
        self._agents = agents
        self._owners = owners
        self._operations = operations
        self._sessions = sessions
        self._history = history
        self._interval_s = interval_s
        self._show_host_memory: HostMemory = show_host_memory
        self._encoded = b""
        self._encoded_at = 0.0
        self._encoded_from: object = None
        self._resolving = asyncio.Lock()
        self._making = asyncio.Lock()

    async def encoded(self) -> bytes:
        """Return the present snapshot as JSON."""
        # One at a time: of many that ask at once the first makes it for all.
        async with self._making:
            return await self._encode()

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
            self._encoded = json.dumps(snapshot).encode()
            self._encoded_at = now
            self._encoded_from = made_from
        return self._encoded

    async def kernel_devices(self, kernel_id: str) -> list[KernelDevice]:
        """Read the devices now and return the memory of one kernel."""
        conversations = self._agents.refresh(watched=True)
        sweep = await self._sweep(conversations, fresh=True)
        devices = await self._devices(sweep, conversations)
        return _devices_of(kernel_id, conversations[kernel_id], devices)

    async def _sweep(self, conversations: dict[str, Conversation], *, fresh: bool = False) -> Sweep:
        if self._host is not None:
            self._host.watch(_pids(conversations))
        return await self._sampler.sweep(fresh=fresh)

    async def _join(self, sweep: Sweep, conversations: dict[str, Conversation]) -> Snapshot:
        devices = await self._devices(sweep, conversations)
        sessions = await self._sessions_by_kernel()
        return {
            "wire_version": WIRE_VERSION,
            "taken_at_ms": int(time.time() * 1000),
            "interval_ms": round(self._interval_s * 1000),
            "providers": [provider_view(status) for status in sweep.statuses],
            "devices": devices,
            "kernels": [
                self._kernel(kernel_id, conversation, devices, sessions[kernel_id])
                for kernel_id, conversation in conversations.items()
            ],
        }

    async def _devices(self, sweep: Sweep, conversations: dict[str, Conversation]) -> list[Device]:
        owners = await self._resolve(sweep.readings, conversations)
        devices = [
            device_view(reading, owners, interval_s=self._interval_s) for reading in sweep.readings
        ]
        return [device for device in devices if self._shown(device, devices)]

    async def _resolve(
        self, readings: tuple[DeviceReading, ...], conversations: dict[str, Conversation]
    ) -> dict[int, Owner]:
        wanted = {entry.pid for reading in readings for entry in reading.processes or ()}
        kernels = _pids(conversations)
        async with self._resolving:
            return await asyncio.to_thread(self._owners.resolve, wanted, kernels)

    def _shown(self, device: Device, devices: list[Device]) -> bool:
        if device["kind"] != HOST_KIND or self._show_host_memory == "always":
            return True
        gpus = any(other["kind"] != HOST_KIND for other in devices)
        return self._show_host_memory == "auto" and not gpus

    async def _sessions_by_kernel(self) -> dict[str, list[dict[str, Any]]]:
        sessions: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        for session in await self._sessions.list_sessions():
            sessions[session["kernel"]["id"]].append(session)
        return sessions

    def _kernel(
        self,
        kernel_id: str,
        conversation: Conversation,
        devices: list[Device],
        sessions: list[dict[str, Any]],
    ) -> Kernel:
        path, name, opened_by = document(sessions)
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
            "devices": _devices_of(kernel_id, conversation, devices),
            "operation": self._operations.of(kernel_id),
            "last_free": self._operations.last(kernel_id),
        }

    @staticmethod
    def _execution_state(conversation: Conversation) -> str:
        state: str = getattr(conversation.km, "execution_state", "unknown")
        return "busy" if conversation.busy and state == "idle" else state


def _pids(conversations: dict[str, Conversation]) -> dict[int, str]:
    return {
        conversation.pid: kernel_id
        for kernel_id, conversation in conversations.items()
        if conversation.pid is not None
    }


def _devices_of(
    kernel_id: str, conversation: Conversation, devices: list[Device]
) -> list[KernelDevice]:
    figures = conversation.figures
    allocators = (figures["allocators"] if figures else None) or []
    return kernel_devices(kernel_id, devices, allocators)
