"""One request to a kernel and its reply, over a socket that lives no longer than that.

A socket per request costs a few milliseconds more than a kept one, but is right after every
restart, needs no upkeep, and requests are rare: numbers come by pushes.
"""

from __future__ import annotations

import asyncio
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from jupyter_client.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jupyter_client.manager import KernelManager
    from zmq.eventloop.zmqstream import ZMQStream

Channel = Literal["shell", "control"]

BESIDE = "gpumem-beside-"
"""Begins the session's name in requests on the control channel."""
TELL_LIMIT_MS = 1000


def new_session(km: KernelManager, *, channel: Channel = "shell") -> Session:
    """Make a session of our own with the kernel's key.

    The kernel manager's session refuses a message it has seen, so two readers of one channel must
    not share it.
    """
    name = BESIDE * (channel == "control") + uuid.uuid4().hex
    return Session(config=km.session.config, key=km.session.key, session=name)


def is_beside(request: dict[str, Any]) -> bool:
    """Tell by the header of a request of ours that it was not for the main shell."""
    return str(request.get("session", "")).startswith(BESIDE)


async def ask(
    km: KernelManager, msg_type: str, content: dict[str, Any], *, channel: Channel = "shell"
) -> dict[str, Any]:
    """Send a request to the main shell, or beside it, and return the content of its reply.

    Waits as long as it takes: the caller sets the limit, since it alone knows what the kernel is
    doing.
    """
    session = new_session(km, channel=channel)
    answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    request = session.msg(msg_type, content)

    def on_frames(frames: list[Any]) -> None:
        _, parts = session.feed_identities(frames, copy=True)
        try:
            message = session.deserialize(parts)
        except (ValueError, TypeError):
            return  # not signed with the kernel's key: not from the kernel
        mine = message["parent_header"].get("msg_id") == request["header"]["msg_id"]
        if mine and not answer.done():
            answer.set_result(message["content"])

    with _connected(km, channel) as stream:
        stream.on_recv(on_frames)
        session.send(stream, request)
        return await answer


def tell(km: KernelManager, msg_type: str, content: dict[str, Any]) -> None:
    """Send a request to the main shell that has no reply there."""
    session = new_session(km)
    with _connected(km, "shell", linger_ms=TELL_LIMIT_MS) as stream:
        session.send(stream.socket, session.msg(msg_type, content))


@contextmanager
def _connected(km: KernelManager, channel: Channel, *, linger_ms: int = 0) -> Iterator[ZMQStream]:
    connect: Any = km.connect_shell if channel == "shell" else km.connect_control
    stream: ZMQStream = connect()
    try:
        yield stream
    finally:
        stream.close(linger=linger_ms)
