"""What came of a cleanup, put together from the agent's and the driver's figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...wire import WIRE_VERSION

if TYPE_CHECKING:
    from ...wire import (
        AgentFreed,
        AgentRefused,
        FreeReport,
        FreeRequest,
        KernelDevice,
        RefusedReason,
    )

BROKEN = (
    "device-side assert",
    "illegal memory access",
    "illegal instruction",
    "invalid program counter",
    "launch timed out",
    "misaligned address",
    "uncorrectable ECC error",
    "unspecified launch failure",
)
"""Errors after which CUDA answers every call of the process with the same one."""

REFUSALS: dict[RefusedReason, str] = {
    "cell_running": "A cell of the notebook is suspended in await. Wait for it, or interrupt it.",
    "newer_cell": "A cell has run in the meantime, so nothing was freed. Ask again if you wish.",
    "not_main_thread": "The kernel did not ask on its main thread, so nothing was freed.",
    "capture": "A CUDA graph is being recorded, so nothing was freed. Ask again when it is done.",
    "error": "The cleanup could not run",
}


def refusal(answer: AgentRefused) -> str:
    """Say why nothing was freed and what to do."""
    text = REFUSALS[answer["reason"]]
    return f"{text}: {answer['message']}" if answer["reason"] == "error" else text


def report(
    request: FreeRequest, freed: AgentFreed, before: list[KernelDevice], after: list[KernelDevice]
) -> FreeReport:
    """Report a cleanup; ``before`` and ``after`` were read around it."""
    told = freed["report"]
    contexts = [device["context_bytes"] for device in after if device["reserved_bytes"] is not None]
    known = bool(contexts) and None not in contexts
    return {
        "wire_version": WIRE_VERSION,
        "level": request["level"],
        "dry_run": request.get("dry_run", False),
        "before": before,
        "after": after,
        "freed_bytes": told["freed_bytes"],
        "freed_host_bytes": told["freed_host_bytes"],
        "still_held_bytes": told["still_held_bytes"],
        "still_held": told["still_held"],
        "invisible_bytes": told["invisible_bytes"],
        "context_bytes": sum(size for size in contexts if size is not None) if known else None,
        "dropped": told["dropped"],
        "dropped_count": told["dropped_count"],
        "explanations": told["explanations"],
        "steps": told["steps"],
        "needs_restart": any(_breaks_cuda(step["error"]) for step in told["steps"]),
        "duration_ms": told["duration_ms"],
    }


def _breaks_cuda(error: str | None) -> bool:
    return error is not None and any(text in error for text in BROKEN)
