"""Answers to an execute request."""

from __future__ import annotations

from typing import Any, Dict

from ..wire import AgentRefused, AgentReply, RefusedReason
from .text import plain


class Reply:
    """A value that ``user_expressions`` carries to the asker, and to nobody else, as JSON."""

    def __init__(self, reply: AgentReply) -> None:
        self._reply = reply

    def _repr_mimebundle_(self, **_: Any) -> Dict[str, Any]:
        # With text, so that no printer the user has registered for all objects is asked.
        return {"application/json": self._reply, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return "<jupyterlab_gpumem reply: {}>".format(self._reply["kind"])


def refused(reason: RefusedReason, message: str) -> AgentRefused:
    """Say why nothing was done."""
    return {"kind": "refused", "reason": reason, "message": plain(message, 500)}
