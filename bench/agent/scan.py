"""Measure what a scan costs, beside the collector's own list of objects.

Run as a program; prints one line for each notebook. Not part of the tests.
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from jupyterlab_gpumem.agent.allocators import Allocators
from jupyterlab_gpumem.agent.holders import holders
from tests.agent.notebook import Notebook


def normal() -> dict[str, Any]:
    layers = [torch.nn.Linear(8, 8) for _ in range(500)]
    padding = max(0, 300_000 - len(gc.get_objects()))
    return {"model": torch.nn.Sequential(*layers), "rows": [[i, str(i)] for i in range(padding)]}


def many_tensors() -> dict[str, Any]:
    return {"tensors": [torch.ones(2) for _ in range(25_000)]}


def model_with_adam() -> dict[str, Any]:
    model = torch.nn.Sequential(*[torch.nn.Linear(8, 8) for _ in range(3_000)])
    optimizer = torch.optim.Adam(model.parameters(), foreach=False)
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    optimizer.step()
    return {"model": model, "optimizer": optimizer}


def huge_container() -> dict[str, Any]:
    return {"rows": [{"row": [i]} for i in range(2_500_000)], "model": torch.nn.Linear(512, 512)}


def measure(make: Any) -> str:
    notebook = Notebook()
    notebook.names.update(make())
    gc.collect()
    began = time.process_time()
    number = len(gc.get_objects())
    alone = time.process_time() - began
    began = time.process_time()
    found = holders(notebook.shell, Allocators(), limit=50, offset=0, limit_s=5.0)
    cost = time.process_time() - began
    named = {h["path"]: h["reaches_bytes"] for h in found["holders"]}
    has_model = "model" in notebook.names
    told = f", model attributed {named.get('model', 0) > 0}" if has_model else ""
    return (
        f"{make.__name__}: {number / 1e6:.2f} M objects, {found['tensors_count']} tensors:"
        f" {cost * 1e3:.0f} ms of CPU time, {cost / alone:.0f} times gc.get_objects(),"
        f" partial {found['partial']}{told}"
    )


if __name__ == "__main__":
    for make in (normal, many_tensors, model_with_adam, huge_container):
        print(measure(make), flush=True)
