"""Run all checks and print the table; those of PyTorch each in a process of its own."""

from __future__ import annotations

import importlib
import json
import platform
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

from .findings import BAD, Finding, run, table

CHECKOUT = Path(__file__).resolve().parents[2]
NO_GPU = 77
LIMIT_S = 300
TORCH = ("allocator", "cleanup")


def main(arguments: list[str]) -> int:
    """Return 0 if all is as expected, 1 if not, ``NO_GPU`` if nothing can be checked here."""
    if arguments:
        return one(*arguments)
    why = obstacle()
    if why:
        print(f"No GPU checks: {why}", file=sys.stderr)
        return NO_GPU
    from .driver import CHECKS

    findings = [finding for check in CHECKS for finding in run(check)]
    for module in TORCH:
        for check in importlib.import_module(f".{module}", __package__).CHECKS:
            findings += in_process(module, check.__name__)
    today = datetime.now(timezone.utc).date()
    print(f"Checked on {today}, {platform.platform()}, Python {platform.python_version()}\n")
    print(table(findings))
    bad = sum(finding.verdict in BAD for finding in findings)
    print(f"\n{len(findings)} findings, {bad} not as expected.")
    return 1 if bad else 0


def obstacle() -> str | None:
    """Say why nothing can be checked here, ``None`` if it can."""
    try:
        from jupyterlab_gpumem.devices.nvml import NvmlProvider
        from jupyterlab_gpumem.devices.provider import ProviderUnavailable
    except ImportError as error:
        return f"{error}. Install psutil and nvidia-ml-py, from wheels if there is no network."
    provider = NvmlProvider()
    try:
        provider.open()
        if not provider.devices():
            return "the driver works, but there is no GPU."
    except ProviderUnavailable as refused:
        return f"{refused.state}. {refused.detail}"
    finally:
        provider.close()
    try:
        import torch
    except ImportError as error:
        return f"{error}. Install a CUDA build of PyTorch."
    if not torch.cuda.is_available():
        return f"PyTorch {torch.__version__} cannot use CUDA."
    return None


def in_process(module: str, name: str) -> list[Finding]:
    """Run one check in a process that nothing has used CUDA in, and that may crash."""
    command = [sys.executable, "-m", "bench.gpu", module, name]
    title = name.replace("_", " ")
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=LIMIT_S, cwd=CHECKOUT, check=False
        )
    except subprocess.TimeoutExpired:
        return [Finding(title, f"no answer for {LIMIT_S} s", "FAILED")]
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        last = (done.stderr.splitlines() or ["no message"])[-1]
        return [Finding(title, f"exit status {done.returncode}: {last}", "FAILED")]
    return [Finding(*fields) for fields in json.loads(lines[-1])]


def one(module: str, name: str) -> int:
    """Run one check here and print its findings as JSON."""
    check = getattr(importlib.import_module(f".{module}", __package__), name)
    print(json.dumps(run(check)))
    return 0
