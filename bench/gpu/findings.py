"""What a check has found, and how it is shown."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    Check: TypeAlias = "Callable[[], Iterable[Finding]]"

Verdict = Literal["as expected", "NOT as expected", "for the record", "not here", "FAILED"]
BAD = ("NOT as expected", "FAILED")


class Finding(NamedTuple):
    """One row of the table."""

    question: str
    answer: str
    verdict: Verdict


def told(question: str, answer: object) -> Finding:
    """Return a finding that nothing is expected of."""
    return Finding(question, str(answer), "for the record")


def judged(question: str, answer: object, *, good: bool) -> Finding:
    """Return a finding that something is expected of."""
    return Finding(question, str(answer), "as expected" if good else "NOT as expected")


def absent(question: str, why: str) -> Finding:
    """Return that the question cannot be asked here."""
    return Finding(question, why, "not here")


def run(check: Check) -> list[Finding]:
    """Run a check; whatever it raises is a finding too, after those that it has made."""
    findings: list[Finding] = []
    try:
        findings.extend(check())
    except Exception as error:  # noqa: BLE001 - the border: the other checks go on
        where = traceback.extract_tb(error.__traceback__)[-1]
        text = f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})"
        findings.append(Finding(check.__name__.replace("_", " "), text, "FAILED"))
    return findings


def table(findings: Iterable[Finding]) -> str:
    """Return the findings as a table in Markdown."""
    rows = ["| question | answer | verdict |", "| --- | --- | --- |"]
    for finding in findings:
        cells = (cell.replace("|", "\\|").replace("\n", " ") for cell in finding)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)
