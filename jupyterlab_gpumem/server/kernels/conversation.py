"""One kernel process and what we hear from it: attach once, then listen.

A conversation lasts as long as the process; after a restart there is a new one. All of it runs on
the event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any

from jupyter_client.kernelspec import NoSuchKernel

from .ask import ask, tell
from .attachment import Attachment
from .bootstrap import Aborted, figures_request, read_reply
from .cell_log import CellLog
from .listener import Listener
from .process import process_token

if TYPE_CHECKING:
    from collections.abc import Callable
    from logging import Logger

    from jupyter_client.manager import KernelManager

    from ...wire import Agent, AgentReply, AgentState, Push

RETRY_S = 0.2
"""Pause before a request is sent again that the kernel aborted since a cell before it failed."""

MAX_NAME = 120
REFRESH_LIMIT_S = 2.0
QUIET_S = 0.3
"""A kernel that is idle for longer has no cell queued: the next one begins within milliseconds."""


class Conversation:
    """Attach the agent to one kernel process, and keep its latest figures.

    ``on_change`` is called after every change of what :attr:`agent`, :attr:`figures` or
    :attr:`busy` say.
    """

    def __init__(self, km: KernelManager, *, log: Logger, on_change: Callable[[], None]) -> None:
        self.km = km
        self.figures: Push | None = None
        self.cells = CellLog()
        self.token = process_token(km)
        self._on_change = on_change
        self._sampled_at_ms: int | None = None
        self._listener = Listener(km, on_push=self._hear, on_change=on_change, log=log)
        self._attachment = Attachment(
            km,
            ask_agent=self.ask_agent,
            start_listening=self._listener.start,
            on_push=self._hear,
            on_change=on_change,
            log=log,
        )
        self._heard = asyncio.Event()
        self.closed = asyncio.Event()

    @property
    def agent(self) -> Agent:
        """What is known of the agent, as it goes on the wire."""
        return {
            "state": self._attachment.state,
            "reason": self._attachment.reason,
            "sampled_at_ms": self._sampled_at_ms,
        }

    @property
    def pid(self) -> int | None:
        """Process id of the kernel on this machine; None when it runs elsewhere."""
        pid = getattr(self.km.provisioner, "pid", None)
        return pid if isinstance(pid, int) else None

    @property
    def display_name(self) -> str | None:
        """Name of the kernel spec for people; None if the spec has gone, or is a gateway's."""
        if self.km.provisioner is None:
            return None
        with contextlib.suppress(NoSuchKernel, OSError, ValueError):
            spec: Any = self.km.kernel_spec
            return str(spec.display_name)[:MAX_NAME] or None
        return None

    @property
    def busy(self) -> bool:
        """Whether a request runs on the kernel's main shell."""
        return self._listener.busy

    def attach(self) -> asyncio.Task[None]:
        """Start attaching the agent if that is still to be done.

        The task ends when it is settled.
        """
        return self._attachment.begin()

    def attach_again(self) -> asyncio.Task[None]:
        """Attach anew, since code of the user has removed the agent."""
        return self._attachment.again()

    def refuse(self, state: AgentState, reason: str) -> None:
        """Settle that no agent comes into this kernel."""
        self._attachment.settle(state, reason)

    async def until_idle(self, timeout_s: float) -> bool:
        """Wait until no request runs on the main shell.

        False if that takes longer than ``timeout_s``.
        """
        try:
            await asyncio.wait_for(self._listener.until_idle(), timeout_s)
        except asyncio.TimeoutError:
            return False
        return True

    async def until_quiet(self) -> None:
        """Wait until no request runs, and none that was queued behind it either."""
        while True:
            await self._listener.until_idle()
            await asyncio.sleep(QUIET_S)
            if not self.busy:
                return

    async def ask_agent(self, content: dict[str, Any]) -> AgentReply:
        """Ask the agent on the main shell, and again when idle if the kernel aborted the request.

        Raises :class:`ReplyError` if the answer makes no sense. Sets no time limit.
        """
        while True:
            await self._listener.until_idle()
            reply = await ask(self.km, "execute_request", content)
            try:
                answer = read_reply(reply)
            except Aborted:
                await asyncio.sleep(RETRY_S)
                continue
            if answer["kind"] != "refused":
                self._hear(answer["figures"])
            return answer

    async def refresh(self) -> bool:
        """Ask for the figures of this moment; False if a cell runs or no answer comes.

        Beside a cell that began before the agent could come, the agent is sent now.
        """
        runs = await self._runs_for_long()
        if runs and self._attachment.state == "waiting":
            return await self._attachment.beside()
        if runs or self._attachment.state != "attached":
            return False
        self._heard.clear()
        tell(self.km, "comm_open", figures_request())
        try:
            # Whatever comes first will do: all figures are of the moment they are sent.
            await asyncio.wait_for(self._heard.wait(), REFRESH_LIMIT_S)
        except asyncio.TimeoutError:
            return False
        return True

    async def interrupt(self) -> None:
        """Interrupt what runs, as the stop button does."""
        manager: Any = self.km  # the server's manager is the asynchronous one
        await manager.interrupt_kernel()

    def close(self) -> None:
        """Stop listening; whoever waits for an answer is told by :attr:`closed`."""
        self.closed.set()
        self._attachment.close()
        self._listener.close()

    async def _runs_for_long(self) -> bool:
        """Tell whether the kernel is at work, and not just at the end of a request."""
        deadline = time.monotonic() + QUIET_S
        # The server may have heard of a cell before us, or of its end after us.
        while self.busy or getattr(self.km, "execution_state", None) == "busy":
            if time.monotonic() > deadline:
                return True
            await asyncio.sleep(QUIET_S / 10)
        return False

    def _hear(self, push: Push) -> None:
        self.figures = push
        self.cells.add(push)
        self._heard.set()
        self._sampled_at_ms = int(time.time() * 1000)
        self._on_change()
