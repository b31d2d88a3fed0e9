"""What a reading costs by three ways: the binding's own lists, ours in a thread, ours in a helper.

python -m bench.devices.ways
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pynvml

from jupyterlab_gpumem.devices.isolation import IsolatedProvider
from jupyterlab_gpumem.devices.nvml import NvmlProvider
from tests.devices.reading import NOWHERE, read
from tests.nvml_standin import Gpu, Process, Scenario, Standin

if TYPE_CHECKING:
    from collections.abc import Callable

MIB = 2**20
GPUS, PROCESSES, ROUNDS = 8, 50, 60


def scenario() -> Scenario:
    processes = [Process(1000 + n, 100 * MIB) for n in range(PROCESSES)]
    processes.append(Process(900, 20 * MIB, "G"))
    return Scenario(
        gpus=[Gpu(f"GPU-{n:04d}", processes=processes, mig_enabled=False) for n in range(GPUS)]
    )


def wrapper_sweep(handles: list[Any]) -> None:
    """Do what a monitor that uses the binding's functions does for the same figures."""
    pynvml.nvmlDeviceGetCount()
    for handle in handles:
        pynvml.nvmlDeviceGetMemoryInfo(handle, pynvml.nvmlMemory_v2)
        pynvml.nvmlDeviceGetUtilizationRates(handle)
        pynvml.nvmlDeviceGetMigMode(handle)
        pynvml.nvmlDeviceGetComputeRunningProcesses_v3(handle)
        pynvml.nvmlDeviceGetGraphicsRunningProcesses_v3(handle)
        pynvml.nvmlDeviceGetMPSComputeRunningProcesses_v3(handle)


def cost(sweep: Callable[[], object], *, also: psutil.Process | None = None) -> str:
    """Time a sweep: wall time, and CPU time of this process and of another one."""

    def cpu() -> float:
        theirs = sum(also.cpu_times()[:2]) if also else 0.0
        return time.process_time() + theirs

    sweep()
    walls, before = [], cpu()
    for _ in range(ROUNDS):
        began = time.perf_counter()
        sweep()
        walls.append(time.perf_counter() - began)
    spent = (cpu() - before) / ROUNDS
    return f"median {statistics.median(walls) * 1e3:.1f} ms wall, {spent * 1e3:.1f} ms CPU"


def memory_mib(process: psutil.Process) -> str:
    full = process.memory_full_info()
    return f"{full.rss / MIB:.0f} MiB resident, {full.uss / MIB:.0f} MiB its own"


FRESH = """
import json, psutil, sys, time
before = psutil.Process().memory_full_info().uss
began = time.perf_counter()
from jupyterlab_gpumem.devices.%s import %s as Provider
provider = Provider()
provider.open()
provider.devices()
print(json.dumps([time.perf_counter() - began, psutil.Process().memory_full_info().uss - before]))
provider.close()
"""


def first_answer(module: str, name: str) -> tuple[float, float]:
    """Start from nothing, in a process that has imported psutil only, as the server has."""
    answers = []
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", FRESH % (module, name)],
            capture_output=True,
            check=True,
        )
        answers.append(json.loads(done.stdout))
    return statistics.median(a for a, _ in answers), statistics.median(b for _, b in answers)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        standin = Standin(Path(folder))
        standin.play(scenario())
        os.environ.update(standin.env())
        # The stand-in's own log would be part of what is measured.
        os.environ["FAKE_NVML_LOG"] = os.devnull
        print(f"{GPUS} GPUs with {PROCESSES + 1} processes each, median of {ROUNDS} sweeps")
        with standin.loaded():
            pynvml.nvmlInit()
            handles = [pynvml.nvmlDeviceGetHandleByIndex(n) for n in range(GPUS)]
            print("wrapper  ", cost(lambda: wrapper_sweep(handles)))
            near = NvmlProvider(root=NOWHERE)
            near.open()
            print("thread   ", cost(lambda: read(near)))
            near.close()
        far = IsolatedProvider(root=NOWHERE)
        read(far)
        assert far.helper_pid
        helper = psutil.Process(far.helper_pid)
        print("helper   ", cost(lambda: read(far), also=helper))
        print("helper   ", memory_mib(helper))
        far.close()
        for way, module, name in (
            ("thread   ", "nvml", "NvmlProvider"),
            ("helper   ", "isolation", "IsolatedProvider"),
        ):
            seconds, own = first_answer(module, name)
            print(way, f"first answer after {seconds * 1e3:.0f} ms, {own / MIB:.1f} MiB more here")


if __name__ == "__main__":
    main()
