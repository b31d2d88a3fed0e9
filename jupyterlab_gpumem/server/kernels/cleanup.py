"""One cleanup in one kernel, never under a running cell unless asked to."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Protocol

from ...errors import KernelBusy, KernelFailed, Refused
from .ask import ask
from .bootstrap import free_content
from .dialogue import CELL_END_GRACE_S, Dialogue
from .report import refusal, report

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ...wire import FreeReport, FreeRequest, KernelDevice, OperationState
    from .conversation import Conversation

PUSH_GRACE_S = 0.2
CLOCK_MS = 2
"""What rounding takes from the end of a cell."""
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
        self._dialogue = Dialogue(conversation, limit_s=limit_s)
        self._enter = enter
        # Noted at once: what a cell computes from now on must not be lost.
        self._asked_at_cell = self._dialogue.known_cell()
        self._asked_while_busy = conversation.busy
        self._asked_at_ms = int(time.time() * 1000)

    async def run(self, kernel_id: str, figures: Figures) -> FreeReport:
        """Free and report; raises an error of ours if nothing was freed."""
        cell = self._asked_at_cell
        waits = False
        if not await self._conversation.until_idle(CELL_END_GRACE_S):
            waits = await self._make_way()
            cell = self._dialogue.known_cell()
        elif self._asked_while_busy and self._request.get("when_busy", "fail") != "fail":
            # The cell that was to go, or to be waited for, has just ended by itself.
            cell = self._dialogue.known_cell()
        while True:
            await self._dialogue.attached()
            before = await figures.kernel_devices(kernel_id)
            known = cell if cell is not None else self._dialogue.known_cell()
            answer = await self._dialogue.ask(self._content, known)
            if answer["kind"] == "freed":
                after = await figures.kernel_devices(kernel_id)
                return report(self._request, answer, before, after)
            if answer["kind"] != "refused":
                raise KernelFailed("The kernel answered something else. Restart the kernel.")
            if answer["reason"] == "newer_cell" and await self._knew_too_little(cell):
                cell = self._dialogue.known_cell()
                continue
            if not waits or answer["reason"] not in ("newer_cell", "cell_running"):
                raise Refused(refusal(answer))
            # One more cell was queued: it is part of what is waited for.
            await self._until_quiet()
            cell = self._dialogue.known_cell()

    async def _knew_too_little(self, cell: int | None) -> bool:
        """Tell whether the newer cell had ended before we were asked, and its push was late."""
        await asyncio.sleep(PUSH_GRACE_S)
        last, newest = self._conversation.cells.last, self._dialogue.known_cell()
        if last is None or newest is None or last["cell"] != newest or newest == cell:
            return False
        return last["began_ms"] + last["duration_ms"] + CLOCK_MS < self._asked_at_ms

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
        await self._dialogue.unless_gone(self._conversation.until_quiet(), limit_s=None)
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

    def _content(self, cell: int | None) -> dict[str, Any]:
        request = self._request
        return free_content(
            request["level"],
            keep_imports=request.get("keep_imports", True),
            cell=cell,
            ids=request.get("ids"),
            keep=request.get("keep"),
            dry_run=request.get("dry_run", False),
        )
