"""A list of kernel specs with one in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager

if TYPE_CHECKING:
    from pathlib import Path

LAUNCH = ("-m", "ipykernel_launcher", "-f", "{connection_file}")


class OneSpec(KernelSpecManager):
    """Knows the ipykernel of one interpreter, under every name."""

    def __init__(self, python: Path) -> None:
        super().__init__()
        self._spec = KernelSpec(argv=[str(python), *LAUNCH], language="python")

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return self._spec
