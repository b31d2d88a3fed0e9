"""Text that leaves the kernel."""

from __future__ import annotations


def plain(text: str, limit: int) -> str:
    """Cut ``text`` to one line of at most ``limit`` characters that every JSON encoder takes."""
    line = text[: 4 * limit].strip().split("\n", 1)[0].rstrip()
    # A lone surrogate would make the whole message impossible to send.
    line = line.encode("utf-8", "replace").decode("utf-8")
    return line if len(line) <= limit else line[: limit - 1] + "…"


def type_name(kind: type) -> str:
    """Name a type without running a line of its metaclass."""
    name = type.__dict__["__name__"].__get__(kind)
    return name if isinstance(name, str) else "?"


def failure_text(failure: BaseException, limit: int = 500) -> str:
    """Put type and message of a failure into one line."""
    name = type_name(type(failure))
    try:
        message = str(failure)
    except Exception:  # noqa: BLE001  a message that cannot be made is left out
        message = ""
    return plain(f"{name}: {message}" if message else name, limit)
