"""What can go wrong, as exceptions that say what the user can do.

GpuMemError
├── BadRequest          400  the body is wrong; names the field
├── UnknownKernel       404
├── KernelBusy          409  a cell runs, or another cleanup does
├── NothingWaits        409  no cleanup that could be cancelled
├── NoAgent             409  nothing in the kernel that could do it
├── Refused             409  the agent declined, nothing was done
├── KernelFailed        502  the kernel answered with an error, or died
└── KernelTimeout       504  no answer in time
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from .wire import WIRE_VERSION

if TYPE_CHECKING:
    from .wire import ErrorBody, ErrorReason


class GpuMemError(Exception):
    """An error with a stable reason, an HTTP status and a message for the user."""

    status: ClassVar[int] = 500
    reason: ErrorReason = "kernel_failed"

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field

    def body(self) -> ErrorBody:
        """Say it as it goes on the wire."""
        return {
            "wire_version": WIRE_VERSION,
            "reason": self.reason,
            "message": self.message,
            "field": self.field,
        }


class BadRequest(GpuMemError):
    """The request cannot be understood; ``field`` is the path of what is wrong."""

    status = 400
    reason: ErrorReason = "bad_request"


class UnknownKernel(GpuMemError):
    """No kernel of that id runs on this server."""

    status = 404
    reason: ErrorReason = "unknown_kernel"

    def __init__(self, kernel_id: str) -> None:
        super().__init__(f"No kernel {kernel_id!r} runs here. It may have been shut down.")


class KernelBusy(GpuMemError):
    """Something runs in the kernel that must not be disturbed unasked."""

    status = 409

    def __init__(self, message: str, reason: ErrorReason = "busy") -> None:
        super().__init__(message)
        self.reason = reason


class NothingWaits(GpuMemError):
    """No cleanup waits, so none can be cancelled."""

    status = 409
    reason: ErrorReason = "nothing_waits"


class NoAgent(GpuMemError):
    """Our agent is not in the kernel, so nothing can be freed there."""

    status = 409
    reason: ErrorReason = "no_agent"


class Refused(GpuMemError):
    """The agent declined; nothing was changed."""

    status = 409
    reason: ErrorReason = "refused"


class KernelFailed(GpuMemError):
    """The kernel could not do it: it answered with an error, or it has gone."""

    status = 502
    reason: ErrorReason = "kernel_failed"


class KernelTimeout(GpuMemError):
    """The kernel has not answered in time."""

    status = 504
    reason: ErrorReason = "timeout"
