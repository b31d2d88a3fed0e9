"""Something that keeps the allocator busy."""

from __future__ import annotations

import threading
import time

import torch


class Training:
    """A small training loop in a thread, while the block runs."""

    def __init__(self) -> None:
        self.failure: Exception | None = None
        self._model = torch.nn.Sequential(
            torch.nn.Linear(512, 1024), torch.nn.ReLU(), torch.nn.Linear(1024, 512)
        ).to("cuda")
        self._optimizer = torch.optim.AdamW(self._model.parameters())
        self._count = 0
        self._counted = (0, time.perf_counter())
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def rate(self) -> float:
        """Return the steps a second since the last time."""
        count, at = self._counted
        self._counted = self._count, time.perf_counter()
        return (self._count - count) / (self._counted[1] - at)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                # A batch of another size each time, so that the allocator has work.
                batch = torch.randn(64 + 8 * (self._count % 16), 512, device="cuda")
                self._model(batch).square().mean().backward()
                self._optimizer.step()
                self._optimizer.zero_grad()
                torch.cuda.synchronize()
                self._count += 1
        except Exception as error:  # noqa: BLE001 - shown as the result
            self.failure = error
