"""Figures of other libraries, read from stand-ins that lie where the library's modules would."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.kernels import Kernel

# A call that would start the library or the device fails the test.
COMMON = """
import sys, types
from types import SimpleNamespace as NS
def forbidden(*_): raise AssertionError('the agent must not start this')
def module(name, **content):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(content)
"""
CUPY = """
taken = 0
pool = NS(total_bytes=lambda: taken, used_bytes=lambda: taken // 2)
module('cupy', get_default_memory_pool=lambda: pool,
       cuda=NS(runtime=NS(getDevice=lambda: 1)), cupy_is_used=forbidden)
"""
JAX = """
stats = {'bytes_in_use': 10, 'pool_bytes': 40, 'peak_bytes_in_use': 20}
devices = [NS(platform='gpu', id=0, memory_stats=lambda: stats),
           NS(platform='gpu', id=1, memory_stats=lambda: None),
           NS(platform='cpu', id=0, memory_stats=forbidden)]
backends = {}
module('jax', local_devices=forbidden, devices=forbidden)
module('jax._src.xla_bridge', _backends=backends, backends=forbidden)
"""
TENSORFLOW = """
context = NS(_initialized=False, ensure_initialized=forbidden,
             list_logical_devices=lambda kind: [NS(name='/device:GPU:0')],
             get_memory_info=lambda device: {'current': 7, 'peak': 9})
module('tensorflow.python.eager.context', _context=None, context=forbidden)
"""
XPU = """
started = False
module('torch.xpu', is_initialized=lambda: started, device_count=lambda: 1,
       memory_allocated=lambda i: 5, memory_reserved=lambda i: 8, max_memory_allocated=lambda i: 6)
"""


def entry(library: str, device: str, *figures: int | None) -> dict[str, Any]:
    names = ("used_bytes", "reserved_bytes", "peak_bytes")
    return {"library": library, "device": device, **dict(zip(names, figures, strict=True))}


def libraries(kernel: Kernel, code: str) -> Any:
    (push,) = kernel.run(code).pushes
    return push["libraries"]


@pytest.mark.parametrize(
    ("stand_in", "start", "told"),
    [
        (CUPY, "taken = 40", [entry("cupy", "cuda:1", 20, 40, None)]),
        (
            JAX,
            "backends['gpu'] = NS(local_devices=lambda: devices)",
            [entry("jax", "gpu:0", 10, 40, 20)],
        ),
        (
            TENSORFLOW,
            "sys.modules['tensorflow.python.eager.context']._context = context\n"
            "context._initialized = True",
            [entry("tensorflow", "gpu:0", 7, None, 9)],
        ),
        (XPU, "started = True", [entry("xpu", "xpu:0", 5, 8, 6)]),
    ],
    ids=["cupy", "jax", "tensorflow", "xpu"],
)
def test_a_library_is_read_once_the_user_has_started_it(
    kernel: Kernel, stand_in: str, start: str, told: list[dict[str, Any]]
) -> None:
    assert libraries(kernel, COMMON + stand_in) == []
    assert libraries(kernel, start) == told
    kernel.run(
        "for name in ('cupy', 'jax', 'jax._src.xla_bridge', 'torch.xpu',\n"
        "             'tensorflow.python.eager.context'): sys.modules.pop(name, None)"
    )


def test_a_library_of_another_version_is_left_out_and_the_others_are_not(kernel: Kernel) -> None:
    kernel.run(COMMON + XPU + "started = True")
    shown = libraries(kernel, "module('cupy', get_default_memory_pool=lambda: 1 / 0)")
    assert [each["library"] for each in shown] == ["xpu"]
    kernel.run("del sys.modules['cupy'], sys.modules['torch.xpu']")
