"""What the stand-in driver is to say, as dataclasses that turn into its scenario file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GIB = 2**30


@dataclass(frozen=True)
class Process:
    """An entry of a process list; size ``None`` is "not available"."""

    pid: int
    used_bytes: int | None
    kind: Literal["C", "G", "M"] = "C"
    instance: tuple[int, int] | None = None

    def line(self) -> str:
        size = "na" if self.used_bytes is None else self.used_bytes
        ids = " {} {}".format(*self.instance) if self.instance else ""
        return f"proc {self.kind} {self.pid} {size}{ids}"


@dataclass(frozen=True)
class MigDevice:
    """An instance of a GPU."""

    slot: int
    uuid: str
    instance: tuple[int, int] = (9, 0)
    total_bytes: int = 10 * GIB
    used_bytes: int = 3 * GIB
    reserved_bytes: int = 13 * 2**20
    name: str = "NVIDIA A100 MIG 1g.10gb"

    def line(self) -> str:
        gi, ci = self.instance
        sizes = f"{self.total_bytes} {self.reserved_bytes} {self.used_bytes}"
        return f"migdev {self.slot} {gi} {ci} {sizes} {self.uuid} {self.name}"


@dataclass(frozen=True)
class Gpu:
    """A GPU; total, utilisation, temperature or power ``None`` is "not supported"."""

    uuid: str = "GPU-AAAA0000-1111-2222-3333-444444444444"
    name: str = "NVIDIA H100 80GB HBM3"
    total_bytes: int | None = 80 * GIB
    used_bytes: int = 10 * GIB
    reserved_bytes: int = GIB // 2
    utilization_pct: int | None = 97
    temperature_c: int | None = None
    power_mw: int | None = None
    pci: str = ""
    virtualization: int = 0
    mig_enabled: bool | None = None
    migs: Sequence[MigDevice] = ()
    processes: Sequence[Process] = ()

    def lines(self) -> Iterator[str]:
        yield from ("gpu", f"name {self.name}", f"uuid {self.uuid}")
        if self.pci:
            yield f"pci {self.pci}"
        if self.total_bytes is not None:
            yield f"mem {self.total_bytes} {self.reserved_bytes} {self.used_bytes}"
        if self.utilization_pct is not None:
            yield f"util {self.utilization_pct} 40"
        if self.temperature_c is not None:
            yield f"temperature {self.temperature_c}"
        if self.power_mw is not None:
            yield f"power_mw {self.power_mw}"
        if self.virtualization:
            yield f"virtualization {self.virtualization}"
        if self.mig_enabled is not None:
            yield "mig {0} {0}".format(int(self.mig_enabled))
        yield from (mig.line() for mig in self.migs)
        yield from (process.line() for process in self.processes)


@dataclass(frozen=True)
class Fault:
    """Make calls fail with an NVML error number, or crash the process.

    ``device`` is an index, ``"0.1"`` for an instance, or ``"*"`` for any and none; ``times`` how
    often, -1 for ever.
    """

    symbol: str
    code: int | Literal["crash"]
    device: int | str = "*"
    times: int = -1

    def line(self) -> str:
        return f"fault {self.symbol} {self.device} {self.code} {self.times}"


@dataclass(frozen=True)
class Delay:
    """Make calls wait, until a scenario without this delay is played."""

    symbol: str
    seconds: float
    device: int | str = "*"

    def line(self) -> str:
        return f"delay_us {self.symbol} {self.device} {round(self.seconds * 1e6)}"


@dataclass(frozen=True)
class Scenario:
    """A driver, its GPUs, and what goes wrong."""

    gpus: Sequence[Gpu] = field(default_factory=lambda: [Gpu()])
    faults: Sequence[Fault] = ()
    delays: Sequence[Delay] = ()
    driver: str = "580.95.05"
    cuda: int = 13000
    v3_stride: int = 24
    serialize: bool = False
    fork_safe: bool = False

    def text(self) -> str:
        lines = [
            f"driver {self.driver}",
            f"cuda {self.cuda}",
            f"v3_stride {self.v3_stride}",
            f"serialize {int(self.serialize)}",
            f"fork_safe {int(self.fork_safe)}",
            *(fault.line() for fault in self.faults),
            *(delay.line() for delay in self.delays),
            *(line for gpu in self.gpus for line in gpu.lines()),
        ]
        return "\n".join(lines) + "\n"
