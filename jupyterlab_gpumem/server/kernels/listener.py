"""What a kernel tells everybody: whether it is at work, and the agent's figures."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from ...wire import COMM_ID
from .ask import is_beside, new_session
from .bootstrap import ReplyError, read_push

if TYPE_CHECKING:
    from collections.abc import Callable
    from logging import Logger

    from jupyter_client.manager import KernelManager
    from zmq.eventloop.zmqstream import ZMQStream

    from ...wire import Push

LOOK_AGAIN_S = 0.5


class Listener:
    """Follow one kernel process on its iopub channel."""

    def __init__(
        self,
        km: KernelManager,
        *,
        on_push: Callable[[Push], None],
        on_change: Callable[[], None],
        log: Logger,
    ) -> None:
        self._km = km
        self._on_push = on_push
        self._on_change = on_change
        self._log = log
        self._session = new_session(km)
        self._stream: ZMQStream | None = None
        self._busy: bool | None = None
        self._idle = asyncio.Event()

    @property
    def busy(self) -> bool:
        """Whether a request runs on the kernel's main shell.

        Followed here, message by message: the server's own figure turns to idle when a widget
        answers during a cell.
        """
        if self._busy is None:
            # Nothing heard yet: a cell may have begun before we listened.
            return getattr(self._km, "execution_state", None) == "busy"
        return self._busy

    def start(self) -> None:
        """Start to listen, unless that was done."""
        if self._stream is None:
            connect: Any = self._km.connect_iopub
            self._stream = connect()
            self._stream.on_recv(self._on_frames)

    def close(self) -> None:
        """Stop listening."""
        if self._stream is not None:
            self._stream.close(linger=0)
            self._stream = None

    async def until_idle(self) -> None:
        """Wait until no request runs on the main shell."""
        while self.busy:
            self._idle.clear()
            # Looked at again after a while: a cell may have ended before we listened.
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._idle.wait(), LOOK_AGAIN_S)

    def _on_frames(self, frames: list[Any]) -> None:
        try:
            _, parts = self._session.feed_identities(frames, copy=True)
            # Content only where we want it: outputs can be large.
            message = self._session.deserialize(parts, content=False)
        except (ValueError, TypeError):
            return  # not signed with the kernel's key
        if message["msg_type"] == "status":
            self._on_status(message)
        elif message["msg_type"] == "comm_msg":
            self._on_comm(message)

    def _on_status(self, message: dict[str, Any]) -> None:
        parent = message.get("parent_header") or {}
        # Only cells of the main shell count: control requests and subshells run beside it.
        if parent.get("msg_type") != "execute_request" or parent.get("subshell_id"):
            return
        if is_beside(parent):
            return
        content = self._session.unpack(message["content"])
        busy = content.get("execution_state") == "busy"
        if busy == self._busy:
            return
        self._busy = busy
        if not busy:
            self._idle.set()
        self._on_change()

    def _on_comm(self, message: dict[str, Any]) -> None:
        content = self._session.unpack(message["content"])
        if content.get("comm_id") != COMM_ID:
            return
        try:
            push = read_push(content.get("data"))
        except ReplyError as error:
            self._log.debug("Kernel sent figures that make no sense: %s", error)
        else:
            self._on_push(push)
