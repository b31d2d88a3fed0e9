"""What the driver says through NVML, alone and about processes."""

from __future__ import annotations

import os
import statistics
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pynvml

from jupyterlab_gpumem.devices.isolation import IsolatedProvider
from jupyterlab_gpumem.devices.nvml import NvmlProvider
from jupyterlab_gpumem.devices.nvml.binding import Binding, RawProcess
from jupyterlab_gpumem.devices.nvml.faults import NvmlFault, Surroundings

from .findings import Finding, absent, judged, told
from .tenants import HELD_BYTES, ROOM_BYTES, tenants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

INITIAL_NAMESPACE = 0xEFFFFFFC
NO_ATTACH = 2
MIB = 2**20
ROUNDS = 200


@contextmanager
def started() -> Iterator[list[Any]]:
    """Start NVML and yield the handles of all GPUs."""
    pynvml.nvmlInit()
    try:
        count = pynvml.nvmlDeviceGetCount()
        yield [pynvml.nvmlDeviceGetHandleByIndex(index) for index in range(count)]
    finally:
        pynvml.nvmlShutdown()


def surroundings() -> Iterator[Finding]:
    with started() as handles:
        yield told("driver", pynvml.nvmlSystemGetDriverVersion())
        yield told("library", Surroundings().loaded_library())
        yield told("GPUs", ", ".join(str(pynvml.nvmlDeviceGetName(h)) for h in handles))
    yield told("binding", f"{pynvml.__file__}")
    inode = os.stat("/proc/self/ns/pid").st_ino
    yield told("initial pid namespace", "yes" if inode == INITIAL_NAMESPACE else "no")


def memory_adds_up() -> Iterator[Finding]:
    with started() as handles:
        for index, handle in enumerate(handles):
            v2 = pynvml.nvmlDeviceGetMemoryInfo(handle, pynvml.nvmlMemory_v2)
            v1 = pynvml.nvmlDeviceGetMemoryInfo(handle)
            parts = v2.reserved + v2.used + v2.free
            yield judged(
                f"GPU {index}: reserved + used + free is the total",
                f"{v2.reserved // MIB} + {v2.used // MIB} + {v2.free // MIB} of"
                f" {v2.total // MIB} MiB, {parts - v2.total:+d} bytes",
                good=parts == v2.total,
            )
            yield told(
                f"GPU {index}: version 1 calls used", f"{v1.used // MIB} MiB of {v1.total // MIB}"
            )


def call_costs() -> Iterator[Finding]:
    with started() as handles:
        first = handles[0]
        for name, arguments in (
            ("nvmlDeviceGetMemoryInfo", (first, pynvml.nvmlMemory_v2)),
            ("nvmlDeviceGetUtilizationRates", (first,)),
            ("nvmlDeviceGetTemperature", (first, 0)),
            ("nvmlDeviceGetPowerUsage", (first,)),
            ("nvmlDeviceGetCount", ()),
        ):
            try:
                text = timed(lambda n=name, a=arguments: getattr(pynvml, n)(*a))  # type: ignore[misc] # bound
            except pynvml.NVMLError as error:
                text = str(error)
            yield told(f"cost of {name}", text)


def open_files_after_shutdown() -> Iterator[Finding]:
    before = open_device_files()
    with started():
        during = open_device_files()
    after = open_device_files()
    yield judged(
        "device files open before, during and after NVML",
        f"{before}, {during}, {after}",
        good=after == before,
    )


def start_without_attaching() -> Iterator[Finding]:
    question = "NVML_INIT_FLAG_NO_ATTACH"
    try:
        pynvml.nvmlInitWithFlags(NO_ATTACH)
    except pynvml.NVMLError as error:
        yield told(question, error)
        return
    try:
        yield told(f"{question}: device files open", open_device_files())
        handle = pynvml.nvmlDeviceGetHandleByIndex(0)
        yield told(f"{question}: memory", pynvml.nvmlDeviceGetMemoryInfo(handle).total)
    except pynvml.NVMLError as error:
        yield told(f"{question}: memory", error)
    finally:
        pynvml.nvmlShutdown()


def helper_agrees() -> Iterator[Finding]:
    near, far = NvmlProvider(sensors=True), IsolatedProvider(sensors=True)
    try:
        for provider in (near, far):
            provider.open()
        pairs = zip(near.devices(), far.devices(), strict=True)
        for one, other in pairs:
            mine, its = near.sample(one), far.sample(other)
            yield judged(
                f"{one.name}: the helper process says the same",
                f"{mine} and {its}",
                good=(one, mine.total_bytes, mine.state) == (other, its.total_bytes, its.state),
            )
    finally:
        near.close()
        far.close()


def process_lists() -> Iterator[Finding]:
    binding = Binding.load()
    with started() as handles:
        free = pynvml.nvmlDeviceGetMemoryInfo(handles[0]).free
        for number in (1, 10, 50):
            if number * ROOM_BYTES > free:
                yield absent(f"{number} processes", f"only {free // MIB} MiB are free")
                return
            with tenants(number) as pids:
                yield from lists_with(binding, handles[0], pids)


def lists_with(binding: Binding, handle: Any, pids: list[int]) -> Iterator[Finding]:
    lists: dict[str, list[RawProcess]] = {}
    of = f"{len(pids)} processes"
    for version in ("v2", "v3"):
        symbol = f"nvmlDeviceGetComputeRunningProcesses_{version}"
        try:
            lists[version] = binding.process_list(symbol, handle)
        except NvmlFault as fault:
            yield told(f"{of}: {version}", fault)
            continue
        cost = timed(lambda s=symbol: binding.process_list(s, handle))  # type: ignore[misc] # bound
        yield told(f"{of}: cost of {version}", cost)
    if len(lists) == 2:
        same = sorted(lists["v2"]) == sorted(lists["v3"])
        yield judged(f"{of}: v2 and v3 list the same", same, good=same)
    sizes = {raw.pid: raw.used_bytes for raw in lists.get("v3", lists.get("v2", []))}
    found = [pid for pid in pids if pid in sizes]
    yield judged(
        f"{of}: listed by the process ids that we know",
        f"{len(found)} of {len(pids)}; {len(sizes)} listed in all",
        good=len(found) == len(pids),
    )
    known = [size for pid in found if (size := sizes[pid]) is not None]
    yield judged(
        f"{of}: memory of each, {HELD_BYTES // MIB} MiB and a context",
        f"{min(known) // MIB} to {max(known) // MIB} MiB" if known else "not available",
        good=bool(known) and min(known) >= HELD_BYTES,
    )


def timed(call: Callable[[], object]) -> str:
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    times.sort()
    median, worst = statistics.median(times), times[-1]
    return f"median {median * 1e6:.0f} µs, worst {worst * 1e6:.0f} µs"


def open_device_files() -> int:
    links = (link.resolve() for link in Path("/proc/self/fd").iterdir())
    return sum(str(link).startswith("/dev/nvidia") for link in links)


CHECKS = (
    surroundings,
    open_files_after_shutdown,
    start_without_attaching,
    memory_adds_up,
    call_costs,
    helper_agrees,
    process_lists,
)
