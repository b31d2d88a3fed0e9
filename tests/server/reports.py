"""Readings of devices and reports of kernels, and what the server makes of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from jupyterlab_gpumem.devices.provider import (
    DeviceInfo,
    DeviceReading,
    DeviceSample,
    ProcessEntry,
)
from jupyterlab_gpumem.server.attribution import Attribution, attribute
from jupyterlab_gpumem.server.kernels.owners import Owner
from tests.kernels import check_contract

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jupyterlab_gpumem.wire import Allocator, KernelDevice

GIB = 2**30
KERNEL = Owner("k1", "python", "kernel")


def reading(
    uuid: str,
    *processes: ProcessEntry,
    used: int | None = 10 * GIB,
    pci: str | None = None,
    parent: str | None = None,
    listed: bool = True,
) -> DeviceReading:
    info = DeviceInfo(
        f"nvml:{uuid}",
        "mig" if parent else "dedicated",
        "A GPU",
        parent_key=f"nvml:{parent}" if parent else None,
        pci=pci,
    )
    sample = DeviceSample(total_bytes=24 * GIB, used_bytes=used)
    return DeviceReading(info, sample, time.monotonic(), processes if listed else None)


def allocator(
    uuid: str | None, *, index: int = 0, pci: str | None = None, reserved: int = 3 * GIB
) -> Allocator:
    return {
        "index": index,
        "uuid": uuid,
        "pci": pci,
        "name": "A GPU",
        "total_bytes": 24 * GIB,
        "allocated_bytes": 2 * GIB,
        "reserved_bytes": reserved,
        "active_bytes": 2 * GIB,
        "cell_peak_allocated_bytes": None,
        "num_ooms": 0,
        "num_alloc_retries": 0,
        "peak_allocated_bytes": 2 * GIB,
        "inactive_split_bytes": 0,
    }


def joined(
    readings: Sequence[DeviceReading],
    *allocators: Allocator,
    owners: Mapping[int, Owner] | None = None,
    believed: Iterable[int] | None = None,
) -> Attribution:
    owners = owners or {}
    shown = attribute(
        readings,
        owners,
        {"k1": allocators},
        believed=set(owners if believed is None else believed),
        interval_s=2,
    )
    for device in shown.devices:
        check_contract(device, "Device")
    for share in shown.kernels["k1"]:
        check_contract(share, "KernelDevice")
    return shown


def only(shown: Attribution) -> KernelDevice:
    [share] = shown.kernels["k1"]
    return share
