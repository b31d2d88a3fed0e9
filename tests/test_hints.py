"""Every code of a remedy that Python gives has words in the page, and on the command line."""

from __future__ import annotations

import re
from pathlib import Path

from jupyterlab_gpumem.cli import servers, words
from jupyterlab_gpumem.devices import checks
from jupyterlab_gpumem.devices.nvml import faults
from jupyterlab_gpumem.server import diagnostics

PAGE = Path(__file__).parents[1] / "src" / "words" / "hints.ts"
OF_THE_SERVER = faults.HINTS | checks.HINTS | diagnostics.HINTS


def test_the_page_knows_the_codes_of_the_server_and_no_others() -> None:
    assert set(re.findall(r"case '(\w+)':", PAGE.read_text())) == OF_THE_SERVER


def test_the_command_line_knows_them_and_its_own() -> None:
    assert set(words.HINT_WORDS) == OF_THE_SERVER | servers.HINTS
    assert all(text.endswith(".") for text in words.HINT_WORDS.values())


def test_a_code_of_tomorrow_is_shown_as_it_is() -> None:
    assert "a_code_of_tomorrow" in words.hint_words("a_code_of_tomorrow")
