"""Hooks of the user that a cleanup leaves in place."""

from __future__ import annotations

import types
from typing import Any, Collection, List

from ..wire import Explanation
from .explain import explanation
from .registries import shell_registries

_MAX = 5


def hooks_that_refer(shell: Any, names: Collection[str]) -> List[Explanation]:
    """Name the hooks of the notebook whose code uses names that are gone."""
    gone = set(names)
    told: List[Explanation] = []
    for root in shell_registries(shell):
        function = root.starts[0]
        if type(function) is types.MethodType:
            function = function.__func__
        if type(function) is not types.FunctionType or function.__module__ != "__main__":
            continue
        used = next((n for n in function.__code__.co_names if n in gone), None)
        if used is not None:
            told.append(explanation("hook_refers", root.path, other=used))
    return told[:_MAX]
