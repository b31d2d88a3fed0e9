"""The helper process: asks NVML for as long as somebody holds the other end of the pipe."""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from jupyterlab_gpumem.devices.nvml import NvmlProvider
from jupyterlab_gpumem.devices.provider import ProviderUnavailable

from . import lines

if TYPE_CHECKING:
    from typing import TypeAlias

    Questions: TypeAlias = "queue.SimpleQueue[dict[str, Any] | None]"

CLOSE_LIMIT_S = 1.0


def main(settings: str) -> None:
    """Answer questions until the pipe closes; never returns."""
    out = _private_output()
    questions: Questions = queue.SimpleQueue()
    # Beside the thread that asks: a driver that hangs must not keep us when the server has gone.
    threading.Thread(target=_receive, args=(questions,), daemon=True).start()
    options = json.loads(settings)
    provider = NvmlProvider(root=Path(options["root"]), sensors=options["sensors"])
    refusal = _open(provider)
    while (question := questions.get()) is not None:
        out.write(lines.write(refusal or lines.answer(provider, question)))
        out.flush()
    provider.close()
    # Skips what the driver's library does at exit: nothing of it is needed, and it may crash.
    os._exit(0)


def _open(provider: NvmlProvider) -> dict[str, Any] | None:
    try:
        provider.open()
    except ProviderUnavailable as refused:
        return {"refused": [refused.state, refused.detail, refused.hint]}
    return None


def _receive(questions: Questions) -> None:
    for line in sys.stdin.buffer:
        questions.put(lines.read(line))
    questions.put(None)
    time.sleep(CLOSE_LIMIT_S)
    os._exit(1)


def _private_output() -> IO[bytes]:
    """Take the standard output for us alone: driver libraries print warnings."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return out
