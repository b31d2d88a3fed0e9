"""Whether the GPUs sleep, told by the kernel without waking them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

NVIDIA = "0x10de"
DISPLAY_CLASS = "0x03"


def are_asleep(root: Path) -> bool:
    """Tell whether there are NVIDIA GPUs and all of them are suspended; ``root`` stands for ``/``.

    Starting NVML wakes every GPU, and keeps it awake until shutdown.
    """
    states = []
    for folder in (root / "sys/bus/pci/devices").glob("*"):
        try:
            if (folder / "vendor").read_text().strip() != NVIDIA:
                continue
            if (folder / "class").read_text().startswith(DISPLAY_CLASS):
                states.append((folder / "power/runtime_status").read_text().strip())
        except OSError:
            continue
    return bool(states) and all(state == "suspended" for state in states)
