"""Which kernels our agent can come into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ask import ask

if TYPE_CHECKING:
    from jupyter_client.manager import KernelManager

    from .ask import Channel


async def reason_against(km: KernelManager, channel: Channel) -> str | None:
    """Ask a kernel what it is, and say why it can have no agent; None if it can.

    By what it says of itself: others claim ipykernel's features, and would run our code as theirs.
    """
    info = await ask(km, "kernel_info_request", {}, channel=channel)
    implementation = info.get("implementation")
    language = info.get("language_info", {}).get("name")
    if implementation == "ipython" and language == "python":
        return None
    return f"{implementation} kernels have no agent"
