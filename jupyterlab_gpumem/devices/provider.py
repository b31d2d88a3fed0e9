"""What a source of device figures looks like.

Providers are synchronous, know nothing of Jupyter, and each runs in one thread of its own. Sizes
are bytes; ``None`` is "not known", 0 is "known to be zero", and an empty process list is "known to
be none".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..wire import DeviceKind, DeviceState, ProcessKind, ProviderState


class ProviderUnavailable(Exception):
    """The provider cannot serve now: ``state`` says why, ``hint`` is the code of a remedy."""

    def __init__(self, state: ProviderState, detail: str = "", hint: str | None = None) -> None:
        super().__init__(detail or state)
        self.state: ProviderState = state
        self.detail = detail
        self.hint = hint


@dataclass(frozen=True)
class DeviceInfo:
    """What does not change while the provider is open."""

    key: str
    """Provider name, a colon, and the UUID without prefix in lower case."""
    kind: DeviceKind
    name: str
    index: int | None = None
    parent_key: str | None = None
    pci: str | None = None
    """Bus address as in sysfs, ``0000:07:00.0``; an instance has its GPU's."""


@dataclass(frozen=True)
class DeviceSample:
    """One reading of a device."""

    total_bytes: int | None = None
    used_bytes: int | None = None
    reserved_bytes: int | None = None
    free_bytes: int | None = None
    used_includes_reserved: bool = False
    utilization_pct: int | None = None
    temperature_c: int | None = None
    power_w: float | None = None
    state: DeviceState = "ok"


@dataclass(frozen=True)
class ProcessEntry:
    """A process with memory on a device. A pid is a claim of the driver, not yet a fact."""

    pid: int
    used_bytes: int | None
    kind: ProcessKind = "compute"


@dataclass(frozen=True)
class DeviceReading:
    """A device with what is known of it and when that was read (``time.monotonic`` seconds)."""

    info: DeviceInfo
    sample: DeviceSample | None = None
    sampled_at: float | None = None
    processes: tuple[ProcessEntry, ...] | None = None


@dataclass(frozen=True)
class ProviderStatus:
    """How a provider is."""

    name: str
    state: ProviderState = "starting"
    detail: str = ""
    hint: str | None = None


@dataclass(frozen=True)
class Sweep:
    """All that the sampler knows: one status per provider, and the devices in stable order."""

    seq: int = 0
    statuses: tuple[ProviderStatus, ...] = ()
    readings: tuple[DeviceReading, ...] = field(default=())


class Provider(Protocol):
    """A source of device figures."""

    @property
    def name(self) -> str:
        """Short name, also the first part of the keys of its devices."""

    def open(self) -> None:
        """Get ready; raises :class:`ProviderUnavailable`."""

    def close(self) -> None:
        """Let go of everything; never raises, may be called twice."""

    def devices(self) -> Sequence[DeviceInfo]:
        """Count the devices anew.

        The unchanging part being kept; raises :class:`ProviderUnavailable`.
        """

    def sample(self, device: DeviceInfo) -> DeviceSample:
        """Read memory and utilisation; a value that cannot be had is ``None``."""

    def processes(self, device: DeviceInfo) -> Sequence[ProcessEntry] | None:
        """List the processes of a device (the costly call); ``None`` if the driver refuses."""
