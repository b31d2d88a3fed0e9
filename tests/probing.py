"""How the probe comes into a kernel under test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PROBE = Path(__file__).with_name("probe.py")


def probe_content() -> dict[str, Any]:
    """Return an execute request that starts it and leaves nothing among the user's names."""
    text = PROBE.read_text(encoding="utf-8")
    module = "__import__('sys').modules.setdefault('gpumem_probe', type(__import__('sys'))('p'))"
    return {
        "code": "",
        "silent": True,
        "store_history": False,
        "user_expressions": {
            "probe": f"[exec({text!r}, m.__dict__) or m.start() for m in [{module}]]"
        },
    }
