"""One cleanup in one kernel, never under a running cell unless asked to."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Protocol

from ...errors import KernelBusy, KernelFailed, KernelTimeout, NoAgent, Refused
from .ask import ask
from .bootstrap import NoAnswer, ReplyError, free_content
from .report import refusal, report

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any, TypeVar

    from ...wire import AgentReply, FreeReport, FreeRequest, KernelDevice, OperationState
    from .conversation import Conversation

    Result = TypeVar("Result")

ATTACH_LIMIT_S = 5.0
CELL_END_GRACE_S = 0.5
"""Requests of tools also make a kernel busy, for milliseconds: these are waited out."""
INTERRUPT_LIMIT_S = 5.0
WAKE_EVERY_S = 0.5


class Figures(Protocol):
    """Where the memory of a kernel is read, freshly."""

    async def kernel_devices(self, kernel_id: str) -> list[KernelDevice]:
        """Read the devices now and return the memory of one kernel."""


class Cleanup:
    """Run one cleanup; ``enter`` is told each state that it comes to."""

    def __init__(
        self,
        conversation: Conversation,
        request: FreeRequest,
        *,
        limit_s: float,
        enter: Callable[[OperationState], None],
    ) -> None:
        self._conversation = conversation
        self._request = request
        self._limit_s = limit_s
        self._enter = enter

    async def run(self, kernel_id: str, figures: Figures) -> FreeReport:
        """Free and report; raises an error of ours if nothing was freed."""
        # Noted first: what a cell computes from now on must not be lost.
        cell = self._known_cell()
        waits = False
        if not await self._conversation.until_idle(CELL_END_GRACE_S):
            waits = await self._make_way()
            cell = self._known_cell()
        while True:
            await self._attached()
            before = await figures.kernel_devices(kernel_id)
            answer = await self._ask(cell if cell is not None else self._known_cell())
            if answer["kind"] == "freed":
                after = await figures.kernel_devices(kernel_id)
                return report(self._request, answer, before, after)
            if answer["kind"] != "refused":
                raise KernelFailed("The kernel answered something else. Restart the kernel.")
            if not waits or answer["reason"] not in ("newer_cell", "cell_running"):
                raise Refused(refusal(answer))
            # One more cell was queued: it is part of what is waited for.
            await self._until_quiet()
            cell = self._known_cell()

    def _known_cell(self) -> int | None:
        figures = self._conversation.figures
        return figures["cell"] if figures else None

    async def _make_way(self) -> bool:
        """Deal with the cell that runs; True if it was waited for."""
        when_busy = self._request.get("when_busy", "fail")
        if when_busy == "fail":
            raise KernelBusy("A cell is running. Wait for it, or interrupt it and then free.")
        if when_busy == "wait":
            await self._until_quiet()
            return True
        self._enter("interrupting")
        await self._conversation.interrupt()
        if not await self._stopped():
            raise KernelBusy(
                "The cell did not stop when interrupted. Wait for it, or restart the kernel.",
                "still_busy",
            )
        self._enter("running")
        return False

    async def _until_quiet(self) -> None:
        self._enter("waiting")
        await self._unless_gone(self._conversation.until_quiet(), limit_s=None)
        self._enter("running")

    async def _stopped(self) -> bool:
        deadline = time.monotonic() + INTERRUPT_LIMIT_S
        while time.monotonic() < deadline:
            # An interrupted ``await`` ends only when something wakes the kernel's event loop.
            poke = asyncio.ensure_future(ask(self._conversation.km, "comm_info_request", {}))
            try:
                if await self._conversation.until_idle(WAKE_EVERY_S):
                    return True
            finally:
                poke.cancel()
        return False

    async def _attached(self) -> None:
        conversation = self._conversation
        if conversation.agent["state"] in ("waiting", "failed"):
            await asyncio.wait({conversation.attach()}, timeout=ATTACH_LIMIT_S)
        reject_settled(conversation)
        if conversation.agent["state"] == "waiting":
            raise NoAgent("The kernel has not started our agent yet. Ask again in a moment.")
        if conversation.agent["state"] == "failed":
            raise NoAgent(
                f"Our agent could not start in the kernel: {conversation.agent['reason']}."
                " Restarting the kernel helps if a name of Python itself was overwritten."
            )

    async def _ask(self, cell: int | None) -> AgentReply:
        try:
            try:
                return await self._ask_once(cell)
            except NoAnswer:
                self._conversation.attach_again()
                await self._attached()
                # The agent that has just come counts cells from nothing.
                return await self._ask_once(self._known_cell())
        except ReplyError as error:
            raise KernelFailed(f"The kernel could not run the cleanup: {error}") from error

    async def _ask_once(self, cell: int | None) -> AgentReply:
        content = free_content(
            self._request["level"],
            keep_imports=self._request.get("keep_imports", True),
            cell=cell,
        )
        asking = self._conversation.ask_agent(content)
        return await self._unless_gone(asking, limit_s=self._limit_s)

    async def _unless_gone(
        self, work: Coroutine[Any, Any, Result], *, limit_s: float | None
    ) -> Result:
        """Wait for ``work`` until the time is up or the kernel's process has ended."""
        result = asyncio.ensure_future(work)
        gone = asyncio.ensure_future(self._conversation.closed.wait())
        try:
            await asyncio.wait({result, gone}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            if result.done():
                return result.result()
            if gone.done():
                raise KernelFailed(
                    "The kernel ended or was restarted before it had answered. A new process"
                    " holds no GPU memory."
                )
            raise KernelTimeout(
                f"The kernel has not answered for {limit_s:g} s. The cleanup may still"
                " come to its end; if not, restart the kernel."
            )
        finally:
            result.cancel()
            gone.cancel()


def reject_settled(conversation: Conversation) -> None:
    """Raise if no agent will ever come into this kernel."""
    if conversation.agent["state"] in ("unsupported", "off"):
        raise NoAgent(f"Nothing can be freed in this kernel: {conversation.agent['reason']}.")
