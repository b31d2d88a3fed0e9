"""Cleanups in kernels: one at a time in each.

Never under a running cell unless asked to, with proof afterwards.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Protocol

from ...errors import KernelBusy, KernelFailed, KernelTimeout, NoAgent, Refused
from .ask import ask
from .bootstrap import NoAnswer, ReplyError, free_content
from .report import refusal, report

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from typing import Any

    from ...wire import (
        AgentFreed,
        AgentReply,
        FreeReport,
        FreeRequest,
        KernelDevice,
        Operation,
        OperationState,
    )
    from .agents import Agents
    from .conversation import Conversation

ATTACH_LIMIT_S = 5.0
CELL_END_GRACE_S = 0.5
"""Completions and tooltips also make a kernel busy, for milliseconds: these are waited out."""
INTERRUPT_LIMIT_S = 5.0
WAKE_EVERY_S = 0.5


class Figures(Protocol):
    """Where the memory of a kernel is read, freshly."""

    async def kernel_devices(self, kernel_id: str) -> list[KernelDevice]:
        """Read the devices now and return the memory of one kernel."""


class Operations:
    """Run cleanups and remember which are under way."""

    def __init__(self, agents: Agents, *, free_limit_s: float) -> None:
        self.revision = 0
        self._agents = agents
        self._free_limit_s = free_limit_s
        self._running: dict[str, Operation] = {}

    def of(self, kernel_id: str) -> Operation | None:
        """Return the cleanup under way in a kernel."""
        return self._running.get(kernel_id)

    async def free(self, kernel_id: str, request: FreeRequest, figures: Figures) -> FreeReport:
        """Clean up in a kernel and report what came of it.

        Raises an error of :mod:`jupyterlab_gpumem.errors`.
        """
        conversation = self._agents.get(kernel_id, watched=True)
        if kernel_id in self._running:
            raise KernelBusy("Another cleanup runs in this kernel. Wait for it.", "in_progress")
        self._enter(kernel_id, request, "running")
        try:
            _reject_settled(conversation)
            await self._until_free(kernel_id, conversation, request)
            await self._attached(conversation)
            before = await figures.kernel_devices(kernel_id)
            freed = await self._ask(conversation, request)
            after = await figures.kernel_devices(kernel_id)
        finally:
            del self._running[kernel_id]
            self.revision += 1
        return report(request, freed, before, after)

    async def _attached(self, conversation: Conversation) -> None:
        if conversation.agent["state"] in ("waiting", "failed"):
            await asyncio.wait({conversation.attach()}, timeout=ATTACH_LIMIT_S)
        _reject_settled(conversation)
        if conversation.agent["state"] == "waiting":
            raise NoAgent("The kernel has not started our agent yet. Ask again in a moment.")
        if conversation.agent["state"] == "failed":
            raise NoAgent(
                f"Our agent could not start in the kernel: {conversation.agent['reason']}."
                " Restarting the kernel helps if a name of Python itself was overwritten."
            )

    async def _until_free(
        self, kernel_id: str, conversation: Conversation, request: FreeRequest
    ) -> None:
        if await conversation.until_idle(CELL_END_GRACE_S):
            return
        if request.get("when_busy", "fail") == "fail":
            raise KernelBusy("A cell is running. Wait for it, or interrupt it and then free.")
        self._enter(kernel_id, request, "interrupting")
        await conversation.interrupt()
        if not await self._stopped(conversation):
            raise KernelBusy(
                "The cell did not stop when interrupted. Wait for it, or restart the kernel.",
                "still_busy",
            )
        self._enter(kernel_id, request, "running")

    async def _stopped(self, conversation: Conversation) -> bool:
        deadline = time.monotonic() + INTERRUPT_LIMIT_S
        while time.monotonic() < deadline:
            # An interrupted ``await`` ends only when something wakes the kernel's event loop.
            poke = asyncio.ensure_future(ask(conversation.km, "comm_info_request", {}))
            try:
                if await conversation.until_idle(WAKE_EVERY_S):
                    return True
            finally:
                poke.cancel()
        return False

    async def _ask(self, conversation: Conversation, request: FreeRequest) -> AgentFreed:
        try:
            try:
                answer = await self._ask_once(conversation, request)
            except NoAnswer:
                conversation.attach_again()
                await self._attached(conversation)
                answer = await self._ask_once(conversation, request)
        except ReplyError as error:
            raise KernelFailed(f"The kernel could not run the cleanup: {error}") from error
        if answer["kind"] == "freed":
            return answer
        if answer["kind"] == "hello":
            raise KernelFailed("The kernel answered something else. Restart the kernel.")
        raise Refused(refusal(answer))

    async def _ask_once(self, conversation: Conversation, request: FreeRequest) -> AgentReply:
        figures = conversation.figures
        content = free_content(
            request["level"],
            keep_imports=request.get("keep_imports", True),
            cell=figures["cell"] if figures else None,
        )
        return await self._unless_gone(conversation, conversation.ask_agent(content))

    async def _unless_gone(
        self, conversation: Conversation, asking: Coroutine[Any, Any, AgentReply]
    ) -> AgentReply:
        """Wait for an answer until the time is up or the kernel's process has ended."""
        answer = asyncio.ensure_future(asking)
        gone = asyncio.ensure_future(conversation.closed.wait())
        try:
            await asyncio.wait(
                {answer, gone}, timeout=self._free_limit_s, return_when=asyncio.FIRST_COMPLETED
            )
            if answer.done():
                return answer.result()
            if gone.done():
                raise KernelFailed("The kernel ended before it had answered.")
            raise KernelTimeout(
                f"The kernel has not answered for {self._free_limit_s:g} s. The cleanup may still"
                " come to its end; if not, restart the kernel."
            )
        finally:
            answer.cancel()
            gone.cancel()

    def _enter(self, kernel_id: str, request: FreeRequest, state: OperationState) -> None:
        known = self._running.get(kernel_id)
        self._running[kernel_id] = {
            "level": request["level"],
            "state": state,
            "requested_at_ms": known["requested_at_ms"] if known else int(time.time() * 1000),
        }
        self.revision += 1


def _reject_settled(conversation: Conversation) -> None:
    if conversation.agent["state"] in ("unsupported", "off"):
        raise NoAgent(f"Nothing can be freed in this kernel: {conversation.agent['reason']}.")
