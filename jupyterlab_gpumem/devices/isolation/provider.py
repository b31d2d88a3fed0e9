"""NVML asked through a helper process: what a crash or a hang means for the provider."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyterlab_gpumem.devices.provider import DeviceSample, ProviderUnavailable

from . import lines
from .process import HelperEnded, HelperHangs, HelperProcess

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from jupyterlab_gpumem.devices.provider import DeviceInfo, ProcessEntry

    class Helper(Protocol):
        """What is needed of a helper process."""

        @property
        def pid(self) -> int: ...  # noqa: D102 - see HelperProcess
        @property
        def has_ended(self) -> bool: ...  # noqa: D102
        def ask(self, question: dict[str, Any], *, limit_s: float) -> dict[str, Any]: ...  # noqa: D102
        def end(self) -> None: ...  # noqa: D102


START_LIMIT_S = 60.0
"""A driver that has to wake eight GPUs takes its time; killed too early it would never be done."""
CALL_LIMIT_S = 10.0
CRASHES_TO_SHUN = 2
SHUN_S = 300.0


class IsolatedProvider:
    """Read GPUs through NVML in a process of its own; the methods belong to one thread.

    A library that crashes makes the state ``error``, and whoever asks next gets a new helper. A GPU
    whose call has crashed it twice is left alone for a while, so that it does not hide the others.
    """

    name = "nvml"

    def __init__(
        self,
        *,
        root: Path = Path("/"),
        sensors: bool = False,
        call_limit_s: float = CALL_LIMIT_S,
        clock: Callable[[], float] = time.monotonic,
        start: Callable[[Path, bool], Helper] = HelperProcess,
    ) -> None:
        self._root = root
        self._sensors = sensors
        self._call_limit_s = call_limit_s
        self._clock = clock
        self._start = start
        self._helper: Helper | None = None
        self._stuck: Helper | None = None
        self._has_started = False
        self._crashes: Counter[tuple[str, str]] = Counter()
        self._shunned_until: dict[str, float] = {}

    @property
    def helper_pid(self) -> int | None:
        """The helper's process id, ``None`` while there is none."""
        return self._helper.pid if self._helper else None

    def open(self) -> None:
        """Start the helper if there is none; it loads the library with the first question.

        Raises :class:`ProviderUnavailable` while an earlier one still waits in the driver: whoever
        follows it would wait there too.
        """
        if self._helper:
            return
        if self._stuck and not self._stuck.has_ended:
            text = f"Process {self._stuck.pid} still waits in the driver and cannot be killed."
            raise ProviderUnavailable("hung", text, "driver_hangs")
        self._stuck = None
        self._helper = self._start(self._root, self._sensors)
        self._has_started = False

    def close(self) -> None:
        """End the helper, and with it whatever the library holds."""
        if self._helper:
            self._helper.end()
            self._stuck = None if self._helper.has_ended else self._helper
            self._helper = None

    def devices(self) -> Sequence[DeviceInfo]:
        """Return GPUs and MIG instances, each GPU followed by its own."""
        infos = lines.devices_of(self._ask("devices", None))
        self._has_started = True
        return infos

    def sample(self, device: DeviceInfo) -> DeviceSample:
        """Read memory and utilisation."""
        if self._is_shunned(device):
            return DeviceSample(state="error")
        return lines.sample_of(self._ask("sample", device))

    def processes(self, device: DeviceInfo) -> Sequence[ProcessEntry] | None:
        """List the processes."""
        if self._is_shunned(device):
            return None
        return lines.processes_of(self._ask("processes", device))

    def _ask(self, call: str, device: DeviceInfo | None) -> Any:
        self.open()
        helper: Any = self._helper
        question = {"call": call, "device": device and vars(device)}
        limit_s = self._call_limit_s if self._has_started else START_LIMIT_S
        try:
            answer = helper.ask(question, limit_s=limit_s)
        except HelperHangs as hang:
            text = f"The driver gave {hang}; the process that asked it was killed."
            raise ProviderUnavailable("hung", text, "driver_hangs") from hang
        except HelperEnded as end:
            if device:
                self._note_crash(call, device)
            text = f"The process that asks the driver ended: {end}, in {call}."
            raise ProviderUnavailable("error", text, "driver_crashed") from end
        if device:
            self._crashes.pop((call, device.key), None)
        return lines.value_of(answer)

    def _note_crash(self, call: str, device: DeviceInfo) -> None:
        self._crashes[call, device.key] += 1
        if self._crashes[call, device.key] >= CRASHES_TO_SHUN:
            self._shunned_until[device.key] = self._clock() + SHUN_S

    def _is_shunned(self, device: DeviceInfo) -> bool:
        return self._clock() < self._shunned_until.get(device.key, float("-inf"))
