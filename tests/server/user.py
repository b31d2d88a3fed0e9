"""A notebook's side of a kernel."""

from __future__ import annotations

import ast
import json
import time
from typing import TYPE_CHECKING, Any

from jupyter_client.blocking.client import BlockingKernelClient

if TYPE_CHECKING:
    from pathlib import Path

START_LIMIT_S = 40.0


class KernelUser:
    """Runs cells and reads results."""

    def __init__(self, connection_file: Path) -> None:
        self.client = BlockingKernelClient(connection_file=str(connection_file))
        self.client.load_connection_file()
        self.client.start_channels()
        self._until_ready()

    def __enter__(self) -> KernelUser:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.stop_channels()

    def _until_ready(self) -> None:
        deadline = time.monotonic() + START_LIMIT_S
        while True:
            try:
                return self.client.wait_for_ready(timeout=START_LIMIT_S)
            except RuntimeError:
                # Called dead if its heart does not beat yet, as on a busy machine.
                if time.monotonic() > deadline:
                    raise

    def run(self, code: str, *, limit_s: float = 50.0) -> Any:
        """Run a cell and return the content of its reply."""
        return self._execute(code, limit_s)

    def start(self, code: str) -> None:
        """Send a cell and do not wait for it."""
        self.client.execute(code)

    def value(self, expression: str) -> Any:
        """Evaluate an expression without running a cell and return its JSON value."""
        wrapped = f"__import__('json').dumps({expression})"
        reply = self._execute("", 30.0, silent=True, user_expressions={"v": wrapped})
        result = reply["user_expressions"]["v"]
        assert result["status"] == "ok", result
        return json.loads(ast.literal_eval(result["data"]["text/plain"]))

    def _execute(self, code: str, limit_s: float, **options: Any) -> Any:
        """Execute, and again if it was dropped: for a moment after a failed cell all are."""
        deadline = time.monotonic() + limit_s
        while True:
            reply = self.client.execute(code, reply=True, timeout=limit_s, **options)["content"]
            if reply["status"] != "aborted" or time.monotonic() > deadline:
                return reply
