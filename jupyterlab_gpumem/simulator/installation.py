"""Put the simulator into this process."""

from __future__ import annotations

import atexit
import threading
from typing import TYPE_CHECKING, Any

import torch

from . import constructors, cuda, mixing, modes
from .board import Board
from .ledger import Ledger, default_folder
from .tags import Tags
from .tensors import TensorMethods
from .transfer import Transfer

if TYPE_CHECKING:
    from pathlib import Path

    from .settings import Hardware

installed: list[Tags] = []
"""Empty until the simulator is in place."""


def set_up(hardware: Hardware, *, scale: int, force: bool, folder: Path | None) -> None:
    """Patch torch; raises :class:`RuntimeError` beside a real GPU unless forced."""
    if not force and torch.cuda.is_available():
        raise RuntimeError(
            "This machine has a CUDA GPU, so the simulated one was not installed. Use the real "
            "one, or call jupyterlab_gpumem.simulator.install(force=True) before CUDA is used."
        )
    if torch.cuda._initialized:
        raise RuntimeError(
            "CUDA is in use in this process: restart the kernel before installing the simulator."
        )
    ledger = Ledger(default_folder() if folder is None else folder)
    board = Board(hardware, ledger)
    tags = Tags(board, scale=scale)
    transfer = Transfer(tags)
    constructors.install(transfer)
    TensorMethods(transfer).install()
    mixing.install(transfer)
    cuda.install(transfer)
    threading.Thread.start = modes.starting_threads_with(  # type: ignore[method-assign]  # same signature
        tags, threading.Thread.start
    )
    installed.append(tags)
    modes.enter(tags)
    board.publish()
    atexit.register(ledger.remove)


def keep_entered(*_: Any) -> None:
    """Enter the mode again if an interrupt inside torch has lost it."""
    for tags in installed:
        modes.enter(tags)
