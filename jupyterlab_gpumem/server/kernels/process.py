"""The process of a kernel as the server's kernel manager sees it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jupyter_client.manager import KernelManager


def process_token(km: KernelManager) -> tuple[Any, ...]:
    """Tell one process of a kernel from the next.

    Its pid, and ports that a crash restart renews.
    """
    return (getattr(km.provisioner, "pid", None), *km.ports)


async def until_started(km: KernelManager) -> None:
    """Wait for a pending kernel.

    Its start may take long, and its failure is the server's to report.
    """
    ready = getattr(km, "ready", None)
    if ready is not None:
        await asyncio.shield(asyncio.wrap_future(ready) if not asyncio.isfuture(ready) else ready)
