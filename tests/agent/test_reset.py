"""Giving memory back in real kernels, proved by weak references that are asked beside the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.kernels import Kernel

MIB = 1 << 20
WATCH = "__import__('sys').modules['gpumem_probe'].watch"
TENSOR = "torch.ones(1 << 18)"  # 1 MiB

HOLDERS = f"""
def fail():
    local = {WATCH}('frame', {TENSOR})
    raise ValueError('no memory left\\nsecond line')
"""


def test_reset_frees_what_the_shell_holds(kernel: Kernel) -> None:
    kernel.run(HOLDERS)
    kernel.run(f"{WATCH}('out', {TENSOR})")
    kernel.run("fail()")
    kernel.run(f"{WATCH}('latest', {TENSOR})")
    assert kernel.probe("alive()") == ["frame", "latest", "out"]

    report = kernel.free()["report"]

    print(report)
    assert kernel.probe("alive()") == []
