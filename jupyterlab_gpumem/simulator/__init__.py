"""A simulated CUDA GPU for machines without one.

Tensors "on the GPU" are CPU tensors that are counted as if they were there: training is real, the
memory figures are a model. Everything that shows it says "simulated". In a notebook:
``%load_ext jupyterlab_gpumem.simulator``. A tensor takes as much RAM as it takes simulated memory,
but RAM is only used where something is written: fill the GPU with ``torch.empty``.

Importing this package imports no torch and changes nothing.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from .settings import Hardware, hardware_from_environment, parse_hardware

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "Hardware",
    "install",
    "is_installed",
    "load_ipython_extension",
    "parse_hardware",
]


def install(
    hardware: Hardware | None = None,
    *,
    scale: int = 1,
    force: bool = False,
    folder: Path | None = None,
) -> None:
    """Give this process simulated GPUs; a second call changes nothing.

    One byte of a tensor counts as ``scale`` bytes of GPU memory; what adds up the sizes of tensors
    is then off by that factor. There is no way back within the process. Raises
    :class:`RuntimeError` where there is a real GPU, unless ``force`` is set.
    """
    if is_installed():
        return
    from .installation import set_up

    hardware = hardware or hardware_from_environment() or Hardware()
    set_up(hardware, scale=scale, force=force, folder=folder)


def is_installed() -> bool:
    """Whether this process has simulated GPUs."""
    # Not a flag of this module: %reload_ext would reset it.
    module: Any = sys.modules.get(f"{__name__}.installation")
    return module is not None and bool(module.installed)


def load_ipython_extension(ip: Any) -> None:
    """Install in a notebook, and keep what an interrupted cell might take away."""
    already = is_installed()
    install()
    if not already:
        from .installation import keep_entered

        ip.events.register("pre_run_cell", keep_entered)
