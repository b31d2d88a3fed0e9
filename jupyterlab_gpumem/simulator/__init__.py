"""A simulated CUDA GPU for machines without one.

Tensors "on the GPU" are CPU tensors that are counted as if they were there: training is real, the memory figures are a
model. Everything that shows it says "simulated". In a notebook: ``%load_ext jupyterlab_gpumem.simulator``.

Importing this package imports no torch and changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .settings import DEFAULT_SCALE, Hardware, hardware_from_environment, parse_hardware

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "Hardware",
    "install",
    "is_installed",
    "load_ipython_extension",
    "parse_hardware",
    "scale",
]

_scale: int | None = None


def install(
    hardware: Hardware | None = None,
    *,
    scale: int = DEFAULT_SCALE,
    force: bool = False,
    folder: Path | None = None,
) -> None:
    """Give this process simulated GPUs; a second call changes nothing.

    One byte of RAM stands for ``scale`` bytes of GPU memory. There is no way back within the process. Raises
    :class:`RuntimeError` where there is a real GPU, unless ``force`` is set.
    """
    global _scale
    if _scale is not None:
        return
    from .installation import set_up

    hardware = hardware or hardware_from_environment() or Hardware()
    set_up(hardware, scale=scale, force=force, folder=folder)
    _scale = scale


def is_installed() -> bool:
    """Whether this process has simulated GPUs."""
    return _scale is not None


def scale() -> int:
    """Return how many bytes of GPU memory one byte of a tensor stands for: 1 on a real GPU."""
    return 1 if _scale is None else _scale


def load_ipython_extension(ip: Any) -> None:
    """Install in a notebook, and keep what an interrupted cell might take away."""
    already = is_installed()
    install()
    if not already:
        from .installation import keep_entered

        ip.events.register("pre_run_cell", keep_entered)
