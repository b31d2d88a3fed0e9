"""The conversations of all kernels: one for each process, from its start to its end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal

from ...errors import UnknownKernel
from ...wire import WIRE_VERSION
from .conversation import Conversation
from .process import process_token

if TYPE_CHECKING:
    from logging import Logger

    from jupyter_client.manager import KernelManager
    from jupyter_server.services.kernels.kernelmanager import MappingKernelManager

    from ...wire import Refreshed

Attach = Literal["auto", "watched", "never"]

KERNEL_ACTIONS = "https://events.jupyter.org/jupyter_server/kernel_actions/v1"
"""Schema id of the server's events about kernels."""
POLL_S = 0.05
START_LIMIT_S = 60.0


class Agents:
    """Keep one :class:`Conversation` with each kernel that this server runs.

    ``revision`` grows with each change, so that a snapshot knows whether it is still true.
    """

    def __init__(
        self, kernels: MappingKernelManager, *, attach: Attach = "auto", log: Logger
    ) -> None:
        self.revision = 0
        self._kernels = kernels
        self._attach: Attach = attach
        self._log = log
        self._conversations: dict[str, Conversation] = {}
        self._adopting: set[asyncio.Task[None]] = set()

    async def on_kernel_action(self, logger: Any, schema_id: str, data: dict[str, Any]) -> None:
        """Follow a kernel event of the server: attach at start and restart, let go at shutdown."""
        kernel_id = data.get("kernel_id")
        if kernel_id is None or data.get("status") != "success":
            return
        if data.get("action") in ("start", "restart"):
            # The event comes from inside the start, before the manager lists the kernel.
            task = asyncio.get_running_loop().create_task(self._adopt(kernel_id))
            self._adopting.add(task)
            task.add_done_callback(self._adopting.discard)
        elif data.get("action") == "shutdown":
            self._drop(kernel_id)

    def refresh(self, *, watched: bool) -> dict[str, Conversation]:
        """Bring the conversations in line with the running kernels and return them.

        ``watched`` says that somebody looks: with ``attach = "watched"`` only then an agent is
        sent.
        """
        running = set(self._kernels.list_kernel_ids())
        for kernel_id in self._conversations.keys() - running:
            self._drop(kernel_id)
        return {kernel_id: self.get(kernel_id, watched=watched) for kernel_id in sorted(running)}

    def get(self, kernel_id: str, *, watched: bool) -> Conversation:
        """Return the conversation with the present process of a kernel, beginning it if need be."""
        if kernel_id not in self._kernels:
            raise UnknownKernel(kernel_id)
        km: KernelManager = self._kernels.get_kernel(kernel_id)
        conversation = self._conversations.get(kernel_id)
        if conversation is not None and conversation.token != process_token(km):
            self._drop(kernel_id)
            conversation = None
        if conversation is None:
            conversation = Conversation(km, log=self._log, on_change=self._on_change)
            self._conversations[kernel_id] = conversation
            self._on_change()
        self._consider(conversation, watched=watched)
        return conversation

    async def refreshed(self, kernel_id: str) -> Refreshed:
        """Ask a kernel for the figures of this moment, unless a cell runs there."""
        conversation = self.get(kernel_id, watched=True)
        fresh = await conversation.refresh()
        return {"wire_version": WIRE_VERSION, "fresh": fresh, "agent": conversation.agent}

    def close(self) -> None:
        """End all conversations."""
        for task in self._adopting:
            task.cancel()
        for kernel_id in list(self._conversations):
            self._drop(kernel_id)

    def _consider(self, conversation: Conversation, *, watched: bool) -> None:
        if conversation.agent["state"] != "waiting":
            return
        if conversation.km.provisioner is None:
            # A gateway's kernel: its sockets connect, but never answer.
            conversation.refuse("unsupported", "the kernel runs behind a gateway")
        elif self._attach == "never":
            conversation.refuse("off", "switched off by the setting GpuMem.attach")
        elif self._attach == "auto" or watched:
            conversation.attach()

    async def _adopt(self, kernel_id: str) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + START_LIMIT_S
        # Nothing of the manager tells when it lists the kernel.
        while kernel_id not in self._kernels and loop.time() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(POLL_S)
        if kernel_id in self._kernels:
            self.get(kernel_id, watched=False)

    def _drop(self, kernel_id: str) -> None:
        conversation = self._conversations.pop(kernel_id, None)
        if conversation is not None:
            conversation.close()
            self._on_change()

    def _on_change(self) -> None:
        self.revision += 1
