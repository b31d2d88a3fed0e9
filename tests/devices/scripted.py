"""A provider that does what the test says, and notes what it was asked."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from jupyterlab_gpumem.devices.provider import DeviceInfo, DeviceSample, ProcessEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


DEADLINE_S = 20.0
PATIENT_S = 20.0
"""A wait that a reading which does not hang never uses up."""


async def until(condition: Callable[[], object]) -> None:
    deadline = asyncio.get_running_loop().time() + DEADLINE_S
    while not condition():
        assert asyncio.get_running_loop().time() < deadline
        await asyncio.sleep(0.005)


class ScriptedProvider:
    """Two devices; ``gate`` cleared makes a device's reading hang, ``failure`` makes it raise."""

    def __init__(self, name: str = "scripted") -> None:
        self.name = name
        self.calls: list[str] = []
        self.threads: set[int] = set()
        self.gate = threading.Event()
        self.gate.set()
        self.close_gate = threading.Event()
        self.close_gate.set()
        self.waiting = threading.Event()
        self.hangs_at = "b"
        self.failure: Exception | None = None
        self.used_bytes = 1
        self.before_list: Callable[[], object] = list

    def open(self) -> None:
        self._note("open")
        if self.failure:
            raise self.failure

    def close(self) -> None:
        self._note("close")
        self.close_gate.wait(DEADLINE_S)

    def devices(self) -> Sequence[DeviceInfo]:
        self._note("devices")
        if self.failure:
            raise self.failure
        return [DeviceInfo(f"{self.name}:{n}", "dedicated", n) for n in ("a", "b")]

    def sample(self, device: DeviceInfo) -> DeviceSample:
        self._note(f"sample {device.name}")
        if device.name == self.hangs_at and not self.gate.is_set():
            self.waiting.set()
            self.gate.wait(DEADLINE_S)
        return DeviceSample(total_bytes=100, used_bytes=self.used_bytes)

    def processes(self, device: DeviceInfo) -> Sequence[ProcessEntry]:
        self._note(f"list {device.name}")
        self.before_list()
        return [ProcessEntry(1, self.used_bytes)]

    def sweeps(self) -> int:
        return self.calls.count("devices")

    def _note(self, call: str) -> None:
        self.calls.append(call)
        self.threads.add(threading.get_ident())
