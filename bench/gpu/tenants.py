"""Processes that hold a known amount of GPU memory, without PyTorch: they start in no time."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HELD_BYTES = 64 * 2**20
ROOM_BYTES = 2**30
"""What a tenant may take with its context."""

TENANT = f"""
import ctypes, sys
cuda = ctypes.CDLL("libcuda.so.1")
def check(code):
    if code:
        sys.exit(f"CUDA error {{code}}")
device, context, memory = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
check(cuda.cuInit(0))
check(cuda.cuDeviceGet(ctypes.byref(device), 0))
check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
check(cuda.cuCtxSetCurrent(context))
check(cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t({HELD_BYTES})))
print("ready", flush=True)
sys.stdin.read()
"""


@contextmanager
def tenants(number: int) -> Iterator[list[int]]:
    """Start tenants on the first GPU and yield their process ids; they end with the block."""
    with ExitStack() as stack:
        started = []
        for _ in range(number):
            command = [sys.executable, "-I", "-S", "-c", TENANT]
            pipe = subprocess.PIPE
            tenant = stack.enter_context(subprocess.Popen(command, stdin=pipe, stdout=pipe))
            assert tenant.stdin
            stack.callback(tenant.stdin.close)
            started.append(tenant)
        for tenant in started:
            assert tenant.stdout
            if tenant.stdout.readline() != b"ready\n":
                raise RuntimeError("a process could not take memory on the GPU")
        yield [tenant.pid for tenant in started]
