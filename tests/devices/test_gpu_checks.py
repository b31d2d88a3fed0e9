"""The checks for a real GPU, as far as they can be tried without one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bench.gpu import driver as checks
from bench.gpu.findings import Finding, judged, run, table
from tests.nvml_standin import Gpu, Scenario, Standin

if TYPE_CHECKING:
    from collections.abc import Iterator

CHECKOUT = Path(__file__).parents[2]
NO_GPU = 77


def gpu_checks(driver: Standin) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "scripts/gpu-checks"],
        env={**os.environ, **driver.env()},
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_gpu_they_say_so_and_exit_with_a_status_of_their_own(driver: Standin) -> None:
    driver.play(Scenario(gpus=[]))
    done = gpu_checks(driver)
    assert done.returncode == NO_GPU
    assert "there is no GPU" in done.stderr
    assert done.stdout == ""


def test_with_a_gpu_that_pytorch_cannot_use_they_say_that(driver: Standin) -> None:
    done = gpu_checks(driver)
    assert done.returncode == NO_GPU
    assert "cannot use CUDA" in done.stderr


def test_what_is_asked_of_the_driver_has_an_answer(far_driver: Standin) -> None:
    far_driver.play(Scenario(gpus=[Gpu(temperature_c=50)]))
    for check in checks.CHECKS:
        if check is checks.process_lists:
            continue  # needs CUDA
        findings = run(check)
        assert findings
        assert {finding.verdict for finding in findings} <= {"as expected", "for the record"}


def test_a_check_that_fails_is_a_row_after_what_it_has_found() -> None:
    def breaks_half_way() -> Iterator[Finding]:
        yield judged("first", "a | b", good=True)
        raise ZeroDivisionError("oh no")

    first, failed = run(breaks_half_way)
    assert (failed.question, failed.verdict) == ("breaks half way", "FAILED")
    assert failed.answer.startswith("ZeroDivisionError: oh no (breaks_half_way, line ")
    assert table([first]).splitlines()[-1] == r"| first | a \| b | as expected |"
