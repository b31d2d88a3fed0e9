"""What the server asks for."""

from __future__ import annotations

import sys
import threading
from typing import Any, Optional

from ..wire import AgentReply, Level
from .allocators import Allocators, started_cuda
from .cells import Cells
from .channel import Channel
from .free import free as free_memory
from .reply import Reply, refused
from .text import failure_text


class _Agent:
    def __init__(self, shell: Any, version: str) -> None:
        self.shell = shell
        self.version = version
        self.allocators = Allocators()
        self.cells = Cells(shell, Channel(shell.kernel), self.allocators)


_attached: Optional[_Agent] = None


def attach(version: str) -> None:
    """Start to report on the shell of this process, in place of an agent of another version."""
    global _attached
    shell = sys.modules["IPython"].get_ipython()
    agent = _Agent(shell, version)
    agent.cells.attach()
    _attached = agent


def hello() -> Reply:
    """Say which version is here, with its figures."""
    if _attached is None:
        return Reply(refused("error", "The agent has not been started in this kernel."))
    figures = _attached.cells.figures()
    return Reply({"kind": "hello", "version": _attached.version, "figures": figures})


def free(*, level: Level, keep_imports: bool = True, cell: Optional[int] = None) -> Reply:
    """Free memory, unless that could fall upon work of the user.

    ``cell`` is the number of cells that the asker knew of when it was told to free. Never raises:
    that would make Python store one more exception.
    """
    try:
        return Reply(_free(level, keep_imports, cell))
    except (Exception, KeyboardInterrupt) as failure:  # noqa: BLE001  told to the asker
        return Reply(refused("error", failure_text(failure)))


def _free(level: Level, keep_imports: bool, cell: Optional[int]) -> AgentReply:
    if _attached is None:
        return refused("error", "The agent has not been started in this kernel.")
    if level not in ("cache", "reset"):
        return refused("error", "Unknown level; known are cache and reset.")
    cells = _attached.cells
    if threading.current_thread() is not threading.main_thread():
        return refused("not_main_thread", "Memory can only be freed on the kernel's main thread.")
    if cells.is_running:
        return refused("cell_running", "A cell still runs or waits; interrupt it or let it end.")
    if cell is not None and cell != cells.count:
        return refused("newer_cell", "Cells have run since; look at their results and free again.")
    if _captures_graph():
        return refused("capture", "A CUDA graph is being recorded; end the capture first.")
    report = free_memory(
        _attached.shell, _attached.allocators, level=level, keep_imports=keep_imports
    )
    return {"kind": "freed", "report": report, "figures": cells.figures()}


def _captures_graph() -> bool:
    cuda = started_cuda()
    if cuda is None:
        return False
    try:
        return bool(cuda.is_current_stream_capturing())
    except Exception:  # noqa: BLE001  a PyTorch that cannot record graphs
        return False
