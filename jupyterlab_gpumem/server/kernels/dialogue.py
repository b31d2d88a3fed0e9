"""Asking the agent of one kernel something, with all that can come between."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ...errors import KernelFailed, KernelTimeout, NoAgent
from .bootstrap import NoAnswer, ReplyError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any, TypeVar

    from ...wire import AgentReply
    from .conversation import Conversation

    Result = TypeVar("Result")

ATTACH_LIMIT_S = 5.0
CELL_END_GRACE_S = 0.5
"""Requests of tools also make a kernel busy, for milliseconds: these are waited out."""


class Dialogue:
    """Ask one kernel's agent, within ``limit_s`` for each question.

    Raises an error of ours if there is no answer.
    """

    def __init__(self, conversation: Conversation, *, limit_s: float) -> None:
        self._conversation = conversation
        self._limit_s = limit_s

    def known_cell(self) -> int | None:
        """Return the number of the last cell that we have heard of."""
        figures = self._conversation.figures
        return figures["cell"] if figures else None

    async def attached(self) -> None:
        """Wait until the agent is in the kernel."""
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

    async def ask(
        self, content: Callable[[int | None], dict[str, Any]], cell: int | None
    ) -> AgentReply:
        """Ask with the number of a cell, and once more if the agent had to be brought again."""
        try:
            try:
                return await self._ask_once(content(cell))
            except NoAnswer:
                self._conversation.attach_again()
                await self.attached()
                # The agent that has just come counts cells from nothing.
                return await self._ask_once(content(self.known_cell()))
        except ReplyError as error:
            raise KernelFailed(f"The kernel could not do it: {error}") from error

    async def unless_gone(
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
                f"The kernel has not answered for {limit_s:g} s. It may still come to its end;"
                " if not, restart the kernel."
            )
        finally:
            result.cancel()
            gone.cancel()

    async def _ask_once(self, content: dict[str, Any]) -> AgentReply:
        asking = self._conversation.ask_agent(content)
        return await self.unless_gone(asking, limit_s=self._limit_s)


def reject_settled(conversation: Conversation) -> None:
    """Raise if no agent will ever come into this kernel."""
    if conversation.agent["state"] in ("unsupported", "off"):
        raise NoAgent(f"Nothing can be done in this kernel: {conversation.agent['reason']}.")
