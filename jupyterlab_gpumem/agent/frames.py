"""Local variables of functions, without keeping them alive by looking."""

from __future__ import annotations

import sys
import types
from typing import Any, Dict, List

_IS_OPTIMIZED = 0x1  # CO_OPTIMIZED: a function, not a module or a class body
_OUR_REFERENCES = 3  # the frame's, the variable's, and that of the call which counts


def locals_of(frame: types.FrameType) -> Dict[str, Any]:
    """Return a copy of the locals of a frame by name; none if they are globals.

    Up to Python 3.12 reading makes the frame keep a dictionary of its locals, which would hold
    them past the function's own ``del``; so it is emptied unless somebody else has it.
    """
    names: Any = frame.f_locals
    if names is frame.f_globals:
        return {}
    copy = dict(names)
    if (
        type(names) is dict
        and frame.f_code.co_flags & _IS_OPTIMIZED
        # A debugger writes its changes into this dictionary, and ``locals()`` hands it out.
        and frame.f_trace is None
        and sys.getrefcount(names) <= _OUR_REFERENCES
    ):
        names.clear()
    return copy


def values_of(frame: types.FrameType, referents: List[Any]) -> List[Any]:
    """Return what the locals of a frame refer to, given what the collector sees of it.

    That is nothing while the frame runs.
    """
    if not referents:
        return list(locals_of(frame).values())
    # Up to Python 3.10 these are among them.
    skipped = (frame.f_globals, frame.f_builtins)
    return [r for r in referents if not any(r is s for s in skipped)]
