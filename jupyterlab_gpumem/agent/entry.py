"""What the server asks for."""

from __future__ import annotations

import sys
import threading
from typing import Any, Optional

from ..wire import AgentRefused, AgentReply
from .allocators import Allocators, started_cuda
from .cells import Cells
from .channel import Channel
from .free import Request
from .free import free as free_memory
from .holders import holders as find_holders
from .refresh import Refresh
from .reply import Reply, refused
from .text import failure_text


class _Agent:
    def __init__(self, shell: Any, version: str) -> None:
        self.shell = shell
        self.version = version
        self.allocators = Allocators()
        channel = Channel(shell.kernel)
        self.cells = Cells(shell, channel, self.allocators)
        self.refresh = Refresh(shell.kernel, self.cells, channel)


_NOT_STARTED = "The agent has not been started in this kernel."
_attached: Optional[_Agent] = None


def attach(version: str) -> None:
    """Start to report on the shell of this process, in place of an agent of another version."""
    global _attached
    shell = sys.modules["IPython"].get_ipython()
    agent = _Agent(shell, version)
    agent.cells.attach()
    agent.refresh.attach()
    _attached = agent


def hello() -> Reply:
    """Say which version is here, with its figures."""
    if _attached is None:
        return Reply(refused("error", _NOT_STARTED))
    figures = _attached.cells.figures(with_cells=True)
    return Reply({"kind": "hello", "version": _attached.version, "figures": figures})


def free(*, cell: Optional[int] = None, **options: Any) -> Reply:
    """Free memory, unless that could fall upon work of the user.

    ``cell`` is the number of cells that the asker knew of when it was told to free; ``options``
    are the fields of a request. Never raises: that would make Python store one more exception.
    """
    try:
        return Reply(_free(Request(**options), cell))
    except (Exception, KeyboardInterrupt) as failure:  # noqa: BLE001  told to the asker
        return Reply(refused("error", failure_text(failure)))


def holders(*, limit: int, offset: int, limit_s: float, cell: Optional[int] = None) -> Reply:
    """Tell who holds memory, on the same terms as :func:`free`."""
    try:
        refusal = _refusal(cell)
        if refusal is not None or _attached is None:
            return Reply(refusal or refused("error", _NOT_STARTED))
        found = find_holders(
            *(_attached.shell, _attached.allocators), limit=limit, offset=offset, limit_s=limit_s
        )
        figures = _attached.cells.figures()
        return Reply({"kind": "holders", "holders": found, "figures": figures})
    except (Exception, KeyboardInterrupt) as failure:  # noqa: BLE001  told to the asker
        return Reply(refused("error", failure_text(failure)))


def _free(request: Request, cell: Optional[int]) -> AgentReply:
    if request.level not in ("cache", "objects", "reset"):
        return refused("error", "Unknown level; known are cache, objects and reset.")
    refusal = _refusal(cell)
    if refusal is not None or _attached is None:
        return refusal or refused("error", _NOT_STARTED)
    report = free_memory(_attached.shell, _attached.allocators, request)
    return {"kind": "freed", "report": report, "figures": _attached.cells.figures()}


def _refusal(cell: Optional[int]) -> Optional[AgentRefused]:
    """Say why now is not the time to look around or to free."""
    if _attached is None:
        return refused("error", _NOT_STARTED)
    cells = _attached.cells
    if threading.current_thread() is not threading.main_thread():
        return refused("not_main_thread", "Memory can only be freed on the kernel's main thread.")
    if cells.is_running:
        return refused("cell_running", "A cell still runs or waits; interrupt it or let it end.")
    if cell is not None and cell != cells.count:
        return refused("newer_cell", "Cells have run since; look at their results and free again.")
    if _captures_graph():
        return refused("capture", "A CUDA graph is being recorded; end the capture first.")
    return None


def _captures_graph() -> bool:
    cuda = started_cuda()
    if cuda is None:
        return False
    try:
        return bool(cuda.is_current_stream_capturing())
    except Exception:  # noqa: BLE001  a PyTorch that cannot record graphs
        return False
