"""Starting, asking and ending the helper process."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import lines

if TYPE_CHECKING:
    from typing import TypeAlias

    Answers: TypeAlias = "queue.SimpleQueue[dict[str, Any] | None]"

HOME = str(Path(__file__).resolve().parents[3])
"""The folder that our package lies in."""
BOOT = f"""
import sys
sys.path[:] = sys.argv[2:]
from {__package__}.helper import main
main(sys.argv[1])
"""
END_LIMIT_S = 0.5


class HelperEnded(Exception):
    """The helper process is no more; the text says how it ended."""


class HelperHangs(Exception):
    """The helper process did not answer in time and was killed."""


class HelperProcess:
    """One run of the helper; its methods belong to one thread."""

    def __init__(self, root: Path, sensors: bool) -> None:
        settings = json.dumps({"root": str(root), "sensors": sensors})
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and code
            # Isolated and without site: a module in the user's folder must not get in.
            [sys.executable, "-I", "-S", "-c", BOOT, settings, *_search_path()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl-C in the server's terminal is for the server.
            start_new_session=True,
        )
        self._answers: Answers = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._receive, daemon=True)
        self._reader.start()

    @property
    def has_ended(self) -> bool:
        """Tell whether the process is no more."""
        return self._process.poll() is not None

    @property
    def pid(self) -> int:
        """The helper's process id."""
        return self._process.pid

    def ask(self, question: dict[str, Any], *, limit_s: float) -> dict[str, Any]:
        """Return the answer; raises :class:`HelperEnded` or :class:`HelperHangs`."""
        stdin: Any = self._process.stdin
        try:
            stdin.write(lines.write(question))
            stdin.flush()
            answer = self._answers.get(timeout=limit_s)
        except OSError:
            answer = None
        except queue.Empty:
            self._process.kill()
            raise HelperHangs(f"no answer for {limit_s:g} s") from None
        if answer is None:
            raise HelperEnded(self._how_it_ended())
        return answer

    def end(self) -> None:
        """Let the helper close NVML and end; kill it if it does not.

        Even that cannot end one that the driver holds in an uninterruptible sleep.
        """
        stdin: Any = self._process.stdin
        with suppress(OSError):
            stdin.close()
        for _ in range(2):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(END_LIMIT_S)
                break
            self._process.kill()
        self._reader.join(END_LIMIT_S)

    def _receive(self) -> None:
        stdout: Any = self._process.stdout
        with stdout:
            for line in stdout:
                self._answers.put(lines.read(line))
        self._answers.put(None)

    def _how_it_ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(END_LIMIT_S)
            return signal.Signals(-code).name if code < 0 else f"exit status {code}"
        return "its pipe closed"


def _search_path() -> list[str]:
    """Return where modules are found, without the folder that the server was started in."""
    here = os.getcwd()
    path = [folder for folder in sys.path if folder and os.path.abspath(folder) != here]
    return path if HOME in path else [*path, HOME]
