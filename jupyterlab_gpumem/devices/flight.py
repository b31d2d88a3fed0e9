"""One reading that several wait for."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field


def uncancellable() -> Future[None]:
    """Return a future that one of those who wait for it cannot take from the others."""
    future: Future[None] = Future()
    future.set_running_or_notify_cancel()
    return future


@dataclass
class Flight:
    """One pass over a provider, asked for or under way."""

    asked_at: float
    with_lists: bool = False
    done: Future[None] = field(default_factory=uncancellable)
