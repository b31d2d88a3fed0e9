"""Cleanups of all kernels: one at a time in each, and how the last one of each ended.

They run on their own, so that one that waits outlives the page that asked for it.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...errors import GpuMemError, KernelBusy, KernelFailed, NothingWaits
from ...wire import WIRE_VERSION
from .cleanup import Cleanup, Figures
from .dialogue import reject_settled

if TYPE_CHECKING:
    from ...wire import (
        FreeEnd,
        FreeReport,
        FreeRequest,
        FreeStatus,
        Operation,
        OperationState,
        Outcome,
    )
    from .agents import Agents


class _UnderWay:
    """A cleanup that has not ended."""

    def __init__(self, request: FreeRequest) -> None:
        self.operation: Operation = {
            "id": uuid.uuid4().hex,
            "level": request["level"],
            "state": "running",
            "requested_at_ms": _now_ms(),
        }
        self.waits = asyncio.Event()
        self.task: asyncio.Task[_Ended] | None = None


@dataclass(frozen=True)
class _Ended:
    """What became of a cleanup."""

    end: FreeEnd
    report: FreeReport | None = None
    error: GpuMemError | None = None


class Operations:
    """Run cleanups, and remember which are under way and how each kernel's last one ended."""

    def __init__(self, agents: Agents, *, free_limit_s: float) -> None:
        self.revision = 0
        self._agents = agents
        self._free_limit_s = free_limit_s
        self._under_way: dict[str, _UnderWay] = {}
        self._ended: dict[str, _Ended] = {}

    def of(self, kernel_id: str) -> Operation | None:
        """Return the cleanup of a kernel that is under way or waits."""
        entry = self._under_way.get(kernel_id)
        return entry.operation if entry else None

    def last(self, kernel_id: str) -> FreeEnd | None:
        """Say how the last cleanup of a kernel ended."""
        ended = self._ended.get(kernel_id)
        return ended.end if ended else None

    def status(self, kernel_id: str) -> FreeStatus:
        """Return what is under way in a kernel, and the last report or failure."""
        self._agents.get(kernel_id, watched=True)
        ended = self._ended.get(kernel_id)
        return {
            "wire_version": WIRE_VERSION,
            "operation": self.of(kernel_id),
            "last": ended.end if ended else None,
            "report": ended.report if ended else None,
            "error": ended.error.body() if ended and ended.error else None,
        }

    async def free(
        self, kernel_id: str, request: FreeRequest, figures: Figures
    ) -> FreeReport | None:
        """Clean up in a kernel and report; None if that waits for a cell that runs.

        Raises an error of ours if nothing was freed.
        """
        conversation = self._agents.get(kernel_id, watched=True)
        reject_settled(conversation)
        when_busy = request.get("when_busy", "fail")
        known = self.of(kernel_id)
        if known is not None:
            if known["state"] != "waiting" or when_busy != "interrupt":
                raise KernelBusy(_in_progress(known), "in_progress")
            # The user has lost patience with the cell.
            self.cancel(kernel_id)
        entry = self._under_way[kernel_id] = _UnderWay(request)
        cleanup = Cleanup(
            conversation,
            request,
            limit_s=self._free_limit_s,
            enter=lambda state: self._enter(entry, state),
        )
        self.revision += 1
        entry.task = asyncio.create_task(self._run(kernel_id, entry, cleanup, figures))
        if when_busy == "wait":
            waits = asyncio.create_task(entry.waits.wait())
            await asyncio.wait({entry.task, waits}, return_when=asyncio.FIRST_COMPLETED)
            waits.cancel()
            if not entry.task.done():
                return None
        ended = await entry.task
        if ended.error is not None:
            raise ended.error
        return ended.report

    def cancel(self, kernel_id: str) -> None:
        """Take back a cleanup that waits."""
        self._agents.get(kernel_id, watched=True)
        entry = self._under_way.get(kernel_id)
        if entry is None:
            raise NothingWaits("No cleanup waits in this kernel. It may have run already.")
        if entry.operation["state"] != "waiting":
            raise KernelBusy(_in_progress(entry.operation), "in_progress")
        if entry.task is not None:
            entry.task.cancel()
        self._end(kernel_id, entry, _Ended(_end(entry, "cancelled")))

    def close(self) -> None:
        """Let go of all cleanups; those that run in a kernel come to their end there."""
        for entry in self._under_way.values():
            if entry.task is not None:
                entry.task.cancel()
        self._under_way.clear()

    async def _run(
        self, kernel_id: str, entry: _UnderWay, cleanup: Cleanup, figures: Figures
    ) -> _Ended:
        # For what none of us foresaw, which goes to the server's log.
        unknown = KernelFailed("The cleanup failed unexpectedly. See the log of Jupyter Server.")
        ended = _Ended(_end(entry, "failed"), error=unknown)
        try:
            report = await cleanup.run(kernel_id, figures)
        except GpuMemError as error:
            ended = _Ended(_end(entry, "failed"), error=error)
        else:
            ended = _Ended(_end(entry, "freed"), report=report)
        finally:
            self._end(kernel_id, entry, ended)
        return ended

    def _enter(self, entry: _UnderWay, state: OperationState) -> None:
        entry.operation = {**entry.operation, "state": state}
        if state == "waiting":
            entry.waits.set()
        self.revision += 1

    def _end(self, kernel_id: str, entry: _UnderWay, ended: _Ended) -> None:
        if self._under_way.get(kernel_id) is not entry:
            return  # cancelled before
        del self._under_way[kernel_id]
        self._ended[kernel_id] = ended
        running = self._agents.refresh(watched=False)
        self._ended = {key: value for key, value in self._ended.items() if key in running}
        self.revision += 1


def _end(entry: _UnderWay, outcome: Outcome) -> FreeEnd:
    operation = entry.operation
    return {
        "id": operation["id"],
        "level": operation["level"],
        "outcome": outcome,
        "requested_at_ms": operation["requested_at_ms"],
        "ended_at_ms": _now_ms(),
    }


def _in_progress(operation: Operation) -> str:
    if operation["state"] == "waiting":
        return "A cleanup waits for the cell in this kernel. Cancel it, or interrupt the cell."
    return "Another cleanup runs in this kernel. Wait for it."


def _now_ms() -> int:
    return int(time.time() * 1000)
