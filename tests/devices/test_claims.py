"""Process ids of the driver are believed only where they must be right; in real namespaces."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from jupyterlab_gpumem.devices.claims import believed, in_initial_namespace
from tests.namespaces import run_in_namespace

if TYPE_CHECKING:
    from pathlib import Path

STRANGERS_AND_OWN = """
import json, os, subprocess, sys
from jupyterlab_gpumem.devices.claims import believed, in_initial_namespace
def start(code):
    command = [sys.executable, "-c", code + "; print(1, flush=True); input()"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.readline()
    return process
with_gpu, without = start("f = open('/dev/nvidia0')"), start("f = open('/dev/null')")
names = {1: "stranger", with_gpu.pid: "with_gpu", without.pid: "without", 4_000_000: "gone"}
print(json.dumps({
    "initial": in_initial_namespace(),
    "believed": sorted(names[pid] for pid in believed(names)),
    "small": max(with_gpu.pid, without.pid) < 1000,
}))
for process in (with_gpu, without):
    process.communicate(b"\\n")
"""


def test_on_the_machine_itself_every_number_is_right() -> None:
    assert in_initial_namespace()
    assert believed([1, os.getpid()]) == {1, os.getpid()}


def test_in_a_container_only_a_process_with_a_gpu_open_is_believed(tmp_path: Path) -> None:
    told = run_in_namespace(STRANGERS_AND_OWN, tmp_path / "dev")
    # Really a namespace of its own, with numbers from 1 on.
    assert (told["initial"], told["small"]) == (False, True)
    assert told["believed"] == ["with_gpu"]


def test_where_the_namespace_cannot_be_read_proof_is_asked_for(tmp_path: Path) -> None:
    descriptors = tmp_path / "7" / "fd"
    descriptors.mkdir(parents=True)
    (descriptors / "3").symlink_to("/dev/nvidia0")
    (tmp_path / "8" / "fd").mkdir(parents=True)
    assert not in_initial_namespace(tmp_path)
    assert believed([7, 8, 9], proc=tmp_path) == {7}
