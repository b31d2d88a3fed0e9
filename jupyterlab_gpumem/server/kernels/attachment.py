"""Whether our agent is in a kernel's process, and how it comes there."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from .ask import ask
from .bootstrap import ReplyError, attach_content, read_reply
from .kinds import reason_against
from .process import until_started

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from logging import Logger

    from jupyter_client.manager import KernelManager

    from ...wire import AgentReply, AgentState, Push

BESIDE_LIMIT_S = 2.0


class Attachment:
    """Send the agent once, when the kernel is idle, or beside a cell when told so.

    ``ask_agent`` asks on the main shell; ``start_listening`` is called as soon as it is known that
    the kernel can have an agent.
    """

    def __init__(
        self,
        km: KernelManager,
        *,
        ask_agent: Callable[[dict[str, Any]], Awaitable[AgentReply]],
        start_listening: Callable[[], None],
        on_push: Callable[[Push], None],
        on_change: Callable[[], None],
        log: Logger,
    ) -> None:
        self.state: AgentState = "waiting"
        self.reason: str | None = None
        self._km = km
        self._ask_agent = ask_agent
        self._start_listening = start_listening
        self._on_push = on_push
        self._on_change = on_change
        self._log = log
        self._task: asyncio.Task[None] | None = None
        # Two installations at once, on two threads of the kernel, would meet half-way.
        self._installing = asyncio.Lock()

    def begin(self) -> asyncio.Task[None]:
        """Start attaching if that is still to be done; the task ends when it is settled."""
        if self._task is None or (self._task.done() and self.state == "failed"):
            self._task = asyncio.get_running_loop().create_task(self._attach())
        return self._task

    def again(self) -> asyncio.Task[None]:
        """Attach anew, since code of the user has removed the agent."""
        self._task = None
        self.settle("waiting", None)
        return self.begin()

    async def beside(self) -> bool:
        """Attach while a cell runs, through the control channel; False if that does not work.

        Then the agent still comes at the next idle.
        """
        with contextlib.suppress(asyncio.TimeoutError, ReplyError):
            return await asyncio.wait_for(self._attach_beside(), BESIDE_LIMIT_S)
        return False

    def settle(self, state: AgentState, reason: str | None) -> None:
        """Note how it stands."""
        self.state = state
        self.reason = reason
        self._on_change()

    def close(self) -> None:
        """Give up what is under way."""
        if self._task is not None:
            self._task.cancel()

    async def _attach(self) -> None:
        try:
            await until_started(self._km)
            # On the shell: ipykernel 6 loses what reaches its control channel before it is up.
            reason = await reason_against(self._km, "shell")
            if reason is not None:
                self.settle("unsupported", reason)
                return
            self._start_listening()
            async with self._installing:
                answer = await self._ask_agent(attach_content())
        except ReplyError as error:
            self.settle("failed", str(error))
        except Exception as error:  # noqa: BLE001 - the border to a foreign process
            self._log.warning("Could not attach to kernel: %s", error, exc_info=True)
            self.settle("failed", f"{type(error).__name__}: {error}")
        else:
            if answer["kind"] == "refused":
                self.settle("failed", answer["message"])
            else:
                self.settle("attached", None)

    async def _attach_beside(self) -> bool:
        # First, so that we hear the agent say that the kernel is busy.
        self._start_listening()
        if await reason_against(self._km, "control") is not None:
            return False
        async with self._installing:
            content = attach_content(beside=True)
            reply = await ask(self._km, "execute_request", content, channel="control")
        answer = read_reply(reply)
        if answer["kind"] == "refused":
            return False
        self._on_push(answer["figures"])
        self.settle("attached", None)
        return True
