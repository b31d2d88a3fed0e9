"""The waits that the threads of the providers keep to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Timing:
    """How long a provider's thread waits for what, in seconds."""

    list_interval_s: float = 2.0
    hung_after_s: float = 5.0
    close_after_s: float = 30.0
    retry_waits_s: Sequence[float] = (1, 2, 5, 15, 60)
