"""Who holds the memory of a kernel, asked from its agent while the kernel is idle."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from ...errors import KernelBusy, KernelFailed, Refused
from .bootstrap import holders_content
from .dialogue import CELL_END_GRACE_S, Dialogue, reject_settled
from .report import refusal

if TYPE_CHECKING:
    from typing import Any

    from ...wire import Explanation, ExplanationCode, Holders, KernelDevice
    from .agents import Agents
    from .operations import Operations

ANSWER_GRACE_S = 20.0
"""Time on top of the limit of the search: collecting the objects, and the way there and back."""


class Query(NamedTuple):
    """Which part of the answer is wanted, and how long the kernel may search."""

    limit: int
    offset: int
    timeout_ms: int


class Figures(Protocol):
    """Where the memory of a kernel is read, freshly."""

    async def kernel_devices(self, kernel_id: str) -> list[KernelDevice]:
        """Read the devices now and return the memory of one kernel."""


class HolderSearch:
    """Ask kernels who holds their memory."""

    def __init__(self, agents: Agents, operations: Operations) -> None:
        self._agents = agents
        self._operations = operations

    async def run(self, kernel_id: str, query: Query, figures: Figures) -> Holders:
        """Search in one kernel; raises an error of ours if it cannot be done now."""
        conversation = self._agents.get(kernel_id, watched=True)
        reject_settled(conversation)
        if self._operations.of(kernel_id) is not None:
            raise KernelBusy("A cleanup is under way in this kernel. Wait for it.", "in_progress")
        limit_s = query.timeout_ms / 1000
        dialogue = Dialogue(conversation, limit_s=limit_s + ANSWER_GRACE_S)
        if not await conversation.until_idle(CELL_END_GRACE_S):
            raise KernelBusy("A cell is running. The holders can be listed when it has ended.")
        await dialogue.attached()

        def content(cell: int | None) -> dict[str, Any]:
            rows = {"limit": query.limit, "offset": query.offset}
            return holders_content(**rows, limit_s=limit_s, cell=cell)

        answer = await dialogue.ask(content, dialogue.known_cell())
        if answer["kind"] == "refused":
            raise Refused(refusal(answer))
        if answer["kind"] != "holders":
            raise KernelFailed("The kernel answered something else. Restart the kernel.")
        found = answer["holders"]
        devices = await figures.kernel_devices(kernel_id)
        found["explanations"] = [*found["explanations"], *of_driver(devices)][:32]
        return found


def of_driver(devices: list[KernelDevice]) -> list[Explanation]:
    """Explain what only the driver's figures show: the context of the process."""
    contexts = [d["context_bytes"] for d in devices if d["reserved_bytes"] is not None]
    known = [size for size in contexts if size]
    return [_explanation("context", sum(known))] if known else []


def _explanation(code: ExplanationCode, size: int) -> Explanation:
    return {"code": code, "path": None, "other": None, "bytes": size, "count": None}
