"""A process of its own with simulated GPUs: the simulator patches torch for good."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_LOOP = """
import gc, json, sys, traceback
from pathlib import Path
from jupyterlab_gpumem import simulator
out, sys.stdout = sys.stdout, sys.stderr
folder, gpus, scale = sys.argv[1:]
simulator.install(simulator.Hardware(int(gpus)), scale=int(scale), folder=Path(folder))
for line in sys.stdin:
    reply = {"error": None, "value": None}
    try:
        names = {"__name__": "child"}
        exec(json.loads(line), names)
        reply["value"] = names["value"]
    except BaseException:
        reply["error"] = traceback.format_exc()
    names = None
    gc.collect()
    print(json.dumps(reply), file=out, flush=True)
"""


class Child:
    """Run functions in a process with simulated GPUs; warnings are errors there too."""

    def __init__(self, folder: Path, *, gpus: int = 2, scale: int = 1) -> None:
        arguments = [str(folder), str(gpus), str(scale)]
        self._process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", _LOOP, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = self._process.pid

    def run(self, body: Callable[[], Any], *, first: str = "", then: str = "") -> Any:
        """Run a function by its source and return its value; a failure there fails here.

        ``then`` is run instead of calling the function.
        """
        source = (
            f"from __future__ import annotations\n{first}\n"
            + textwrap.dedent(inspect.getsource(body))
            + (f"{then}\nvalue = None\n" if then else f"value = {body.__name__}()\n")
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(source) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the child has ended"
        reply = json.loads(line)
        assert reply["error"] is None, reply["error"]
        return reply["value"]

    def kill(self) -> None:
        """End it without a chance to tidy up."""
        self._process.kill()
        self._end()

    def close(self) -> None:
        """Let it end by itself; may be called again."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._end()

    def _end(self) -> None:
        self._process.wait(30)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                pipe.close()
