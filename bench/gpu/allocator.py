"""PyTorch's allocator on a real GPU, beside what the driver says."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import torch

from jupyterlab_gpumem.agent.allocators import Allocators
from jupyterlab_gpumem.agent.flush import flush
from jupyterlab_gpumem.agent.steps import Steps
from jupyterlab_gpumem.devices.nvml import NvmlProvider

from .findings import Finding, absent, judged, told
from .training import Training

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jupyterlab_gpumem.devices.provider import DeviceInfo, ProcessEntry

MIB = 2**20
STEPS = 200


def names_match() -> Iterator[Finding]:
    """The same card has one name in PyTorch and in NVML, whatever its number is."""
    torch.zeros(1, device="cuda")
    keys = {key: (pci, name) for key, pci, name in listed()}
    for found in Allocators().read() or []:
        key = f"nvml:{found['uuid']}"
        pci, name = keys.get(key, (None, None))
        answer = f"{found['uuid']}, {found.get('pci')}; NVML has {pci}, {name}"
        yield judged(f"cuda:{found['index']} is found by its UUID", answer, good=key in keys)


def order_does_not_matter() -> Iterator[Finding]:
    number = torch.cuda.device_count()
    if number < 2:
        yield absent("CUDA_VISIBLE_DEVICES in another order", f"{number} GPU")
        return
    code = "import torch; print(torch.cuda.get_device_properties(0).uuid)"
    order = ",".join(str(index) for index in reversed(range(number)))
    env = {**os.environ, "CUDA_VISIBLE_DEVICES": order, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    last = listed()[-1][0]
    uuid = done.stdout.strip().lower()
    answer = f"cuda:0 is {uuid}, NVML's last is {last}"
    yield judged("CUDA_VISIBLE_DEVICES in another order", answer, good=last.endswith(uuid))


def driver_and_allocator_agree() -> Iterator[Finding]:
    block = torch.empty(1024 * MIB, dtype=torch.uint8, device="cuda")
    torch.cuda.synchronize()
    reserved = torch.cuda.memory_reserved()
    own = own_entry()
    if own is None or own.used_bytes is None:
        yield judged("the driver lists this process with its memory", own, good=False)
        return
    context = own.used_bytes - reserved
    yield judged(
        "the driver's number is the allocator's and a context",
        f"{own.used_bytes // MIB} = {reserved // MIB} + {context // MIB} MiB",
        good=0 < context < 2048 * MIB,
    )
    del block
    flush(Steps())
    after = own_entry()
    left = (after.used_bytes or 0) if after else 0
    yield judged(
        "after freeing, the context alone is left",
        f"{left // MIB} MiB, of which the allocator {torch.cuda.memory_reserved() // MIB}",
        good=left <= context + 2 * MIB,
    )


def cost_of_figures() -> Iterator[Finding]:
    training = Training()
    yield told("memory_stats at rest", cost(lambda: torch.cuda.memory_stats(0)))
    allocators = Allocators()
    with training:
        yield told("memory_stats beside training", cost(lambda: torch.cuda.memory_stats(0)))
        yield told("all figures of the agent beside training", cost(allocators.read))
    yield judged("training was not disturbed", training.failure, good=training.failure is None)


def freeing_beside_training() -> Iterator[Finding]:
    training = Training()
    with training:
        time.sleep(1)
        alone = training.rate()
        for _ in range(20):
            torch.cuda.empty_cache()
            time.sleep(0.05)
        beside = training.rate()
    yield told("steps a second, alone and beside empty_cache", f"{alone:.0f}, {beside:.0f}")
    yield judged("training survives it", training.failure, good=training.failure is None)


def second_context() -> Iterator[Finding]:
    if torch.cuda.device_count() < 2:
        yield absent("which calls start another GPU", "one GPU only")
        return
    torch.zeros(1, device="cuda:0")
    has_context: Any = torch._C._cuda_hasPrimaryContext  # type: ignore[attr-defined] # private
    for name in (
        "memory_stats",
        "memory_allocated",
        "get_device_properties",
        "get_device_name",
        "mem_get_info",
        "synchronize",
    ):
        before = has_context(1)
        getattr(torch.cuda, name)(1)
        yield told(f"{name} of another GPU starts it", has_context(1) and not before)


def cost(call: Any) -> str:
    times = []
    for _ in range(STEPS):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return f"median {statistics.median(times) * 1e6:.0f} µs, worst {max(times) * 1e6:.0f} µs"


def listed() -> list[tuple[str, str | None, str]]:
    return [(info.key, info.pci, info.name) for info, _ in readings()]


def own_entry() -> ProcessEntry | None:
    entries = [entry for _, found in readings() for entry in found or []]
    return next((entry for entry in entries if entry.pid == os.getpid()), None)


def readings() -> list[tuple[DeviceInfo, list[ProcessEntry] | None]]:
    provider = NvmlProvider()
    provider.open()
    try:
        found = []
        for info in provider.devices():
            provider.sample(info)
            entries = provider.processes(info)
            found.append((info, None if entries is None else list(entries)))
        return found
    finally:
        provider.close()


CHECKS = (
    names_match,
    order_does_not_matter,
    driver_and_allocator_agree,
    cost_of_figures,
    freeing_beside_training,
    second_context,
)
