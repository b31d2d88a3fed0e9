"""Read the arguments of ``jupyter gpumem`` and do what they say."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from .doctor import WRONG, doctor

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code; wrong usage exits with 2."""
    options = _parser().parse_args(arguments)
    return doctor(as_json=options.json)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="jupyter gpumem", description="See GPU memory in JupyterLab, and give it back."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    told = (
        "Tell what works, what does not, and what to do: driver, library, GPUs, and the kernels of"
        " your running servers."
    )
    command = commands.add_parser(
        "doctor",
        help="tell what works, what does not, and what to do",
        description=told,
        epilog=f"Exit code {WRONG} if something has to be repaired, else 0.",
    )
    command.add_argument("--json", action="store_true", help="print JSON, as GET diagnostics does")
    return parser
