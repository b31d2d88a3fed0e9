"""The steps of a cleanup, each guarded."""

from __future__ import annotations

import time
from typing import Callable, List, Optional, TypeVar

from ..wire import Step
from .text import failure_text

Result = TypeVar("Result")


class Steps:
    """Run steps one after the other and write down how each went."""

    def __init__(self) -> None:
        self.done: List[Step] = []

    def run(self, name: str, action: Callable[[], Result]) -> Optional[Result]:
        """Run ``action``; a failure is written down and gives None, and the next step can run.

        So does an interrupt: the user means the step that takes so long.
        """
        began = time.perf_counter()
        error = None
        result = None
        try:
            result = action()
        except (Exception, KeyboardInterrupt) as failure:  # noqa: BLE001  reported to the user
            error = failure_text(failure)
        ms = int((time.perf_counter() - began) * 1000)
        self.done.append({"name": name, "ms": ms, "error": error})
        return result
