"""Real kernels for tests, in any environment."""

from __future__ import annotations

import json
import os
import queue
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jsonschema import Draft7Validator
from jupyter_client.manager import KernelManager

from jupyterlab_gpumem.server.kernels.bootstrap import (
    attach_content,
    figures_request,
    free_content,
    holders_content,
    read_reply,
)
from jupyterlab_gpumem.wire import COMM_ID, AgentFreed, AgentHello, AgentReply, Holders, Level, Push

from .one_spec import OneSpec
from .probing import probe_content

if TYPE_CHECKING:
    from collections.abc import Callable

    from jupyter_client.blocking.client import BlockingKernelClient

    from .environments import Environment

LIMIT_S = 50.0
SCHEMA = Path(__file__).parents[1] / "contract" / "wire.schema.json"

Message = dict[str, Any]


@dataclass(frozen=True)
class Run:
    """What came of a cell: its reply, and its messages to all."""

    reply: dict[str, Any]
    messages: list[Message]

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        return [m["content"] for m in self.messages if m["msg_type"] == kind]

    @property
    def printed(self) -> str:
        return "".join(content["text"] for content in self.of_type("stream"))

    @property
    def pushes(self) -> list[Push]:
        return pushes(self.messages)


def _is_idle(message: Message) -> bool:
    return bool(message["content"].get("execution_state") == "idle")


def pushes(messages: list[Message]) -> list[Push]:
    """Pick the agent's pushes, all of which must follow the contract."""
    found = [
        m["content"]["data"]
        for m in messages
        if m["msg_type"] == "comm_msg" and m["content"]["comm_id"] == COMM_ID
    ]
    for push in found:
        check_contract(push, "Push")
    return found


def check_contract(value: Any, definition: str) -> None:
    """Fail if ``value`` does not follow a definition of the contract."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    whole = {"$ref": f"#/definitions/{definition}", "definitions": schema["definitions"]}
    Draft7Validator(whole).validate(value)


class Kernel:
    """A kernel process and its only client."""

    def __init__(self, environment: Environment, home: Path) -> None:
        self._manager = KernelManager(kernel_spec_manager=OneSpec(environment.python))
        # A user's own start-up files and history have no place in a test.
        self._manager.start_kernel(
            env={**os.environ, "IPYTHONDIR": str(home / "ipython"), "HOME": str(home)},
            cwd=str(home),
        )
        self.client: BlockingKernelClient = self._manager.client()
        try:
            self.client.start_channels()
            self.client.wait_for_ready(timeout=LIMIT_S)
            self._start_probe()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process."""
        self.client.stop_channels()
        self._manager.shutdown_kernel(now=True)

    def run(self, code: str, **options: Any) -> Run:
        """Run a cell as a notebook would, and wait until it has ended."""
        return self.wait(self.begin(code, **options))

    def begin(self, code: str, **options: Any) -> str:
        """Send a cell, and return the id of the request."""
        return str(self.client.execute(code, **options))

    def wait(self, request: str) -> Run:
        """Wait for the end of a request that ``begin`` sent."""
        return Run(messages=self.messages_until(_is_idle, request), reply=self._reply(request))

    def messages_until(self, last: Any, request: str | None = None) -> list[Message]:
        """Collect what is sent to all, of one request or of any, up to the one that is ``last``."""
        found: list[Message] = []
        deadline = time.monotonic() + LIMIT_S
        while not found or not last(found[-1]):
            message = self._receive(self.client.get_iopub_msg, deadline)
            if request is None or message["parent_header"].get("msg_id") == request:
                found.append(message)
        return found

    def ask(self, content: dict[str, Any], *, beside: bool = False) -> AgentReply:
        """Send a request of ours on the main shell, or beside it, and read the answer."""
        request = self.client.session.msg("execute_request", content)
        channel = self.client.control_channel if beside else self.client.shell_channel
        channel.send(request)
        reply = read_reply(self._reply(request["header"]["msg_id"], beside=beside))
        check_contract(reply, "AgentReply")
        return reply

    def attach(self, *, beside: bool = False) -> AgentHello:
        reply = self.ask(attach_content(beside=beside), beside=beside)
        assert reply["kind"] == "hello", reply
        return reply

    def refresh(self) -> list[Message]:
        """Ask for figures, and return all that is sent to everybody for it."""
        request = self.client.session.msg("comm_open", figures_request())
        self.client.shell_channel.send(request)
        return self.messages_until(_is_idle, request["header"]["msg_id"])

    def free(
        self,
        level: Level = "reset",
        *,
        keep_imports: bool = True,
        cell: int | None = None,
        **options: Any,
    ) -> AgentFreed:
        reply = self.ask(free_content(level, keep_imports=keep_imports, cell=cell, **options))
        assert reply["kind"] == "freed", reply
        return reply

    def holders(self, *, limit: int = 50, offset: int = 0, limit_s: float = 5.0) -> Holders:
        """Ask who holds memory."""
        content = holders_content(limit=limit, offset=offset, limit_s=limit_s, cell=None)
        reply = self.ask(content)
        assert reply["kind"] == "holders", reply
        return reply["holders"]

    def probe(self, expression: str) -> Any:
        """Evaluate an expression beside the shell: no cell runs, and nothing is stored."""
        request = self.client.session.msg("probe_request", {"expression": expression})
        self.client.control_channel.send(request)
        deadline = time.monotonic() + LIMIT_S
        while True:
            reply = self._receive(self.client.get_control_msg, deadline)
            if reply["parent_header"].get("msg_id") == request["header"]["msg_id"]:
                assert "error" not in reply["content"], reply["content"]
                return reply["content"]["value"]

    def _reply(self, request: str, *, beside: bool = False) -> dict[str, Any]:
        get = self.client.get_control_msg if beside else self.client.get_shell_msg
        deadline = time.monotonic() + LIMIT_S
        while True:
            reply = self._receive(get, deadline)
            if reply["parent_header"].get("msg_id") == request:
                return dict(reply["content"])

    def _receive(self, get: Callable[..., Message], deadline: float) -> Message:
        while True:
            try:
                return get(timeout=1)
            except queue.Empty:
                assert self._manager.is_alive(), "the kernel has died"
                assert time.monotonic() < deadline, "the kernel does not answer"

    def _start_probe(self) -> None:
        content = probe_content()
        request = self.client.session.msg("execute_request", content)
        self.client.shell_channel.send(request)
        reply = self._reply(request["header"]["msg_id"])
        assert reply["user_expressions"]["probe"]["status"] == "ok", reply
