from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.simulator.ledger import DeviceUse, Ledger, default_folder, read_ledgers

if TYPE_CHECKING:
    from pathlib import Path

USE = DeviceUse(0, "sim-0", "Simulated GPU 24 GiB", 24 << 30, 3 << 30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runtime" / "ledgers"


def test_what_is_written_is_read(folder: Path) -> None:
    Ledger(folder).write([USE])
    (entry,) = read_ledgers(folder)
    assert entry.pid == os.getpid()
    assert entry.devices == (USE,)
    assert [path.name for path in folder.iterdir()] == [f"{os.getpid()}.json"]


def test_only_the_owner_may_look_into_the_folder(folder: Path) -> None:
    Ledger(folder).write([USE])
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_process_that_ended_is_forgotten(folder: Path) -> None:
    Ledger(folder).write([USE])
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(30)
    path = folder / f"{ended.pid}.json"
    path.write_text(json.dumps({"pid": ended.pid, "start_time": 1.0, "devices": []}))
    assert [entry.pid for entry in read_ledgers(folder)] == [os.getpid()]
    assert not path.exists()


def test_a_pid_that_was_given_anew_is_not_the_old_process(folder: Path) -> None:
    Ledger(folder).write([USE])
    path = folder / f"{os.getpid()}.json"
    path.write_text(path.read_text().replace('"start_time": ', '"start_time": 1'))
    assert read_ledgers(folder) == []
    assert not path.exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"pid": "x", "start_time": null, "devices": []}',
        '{"pid": 1e999, "start_time": null, "devices": []}',
        '{"pid": 7, "start_time": null, "devices": [{"index": 0}]}',
        '{"pid": 7, "start_time": null, "devices": 3}',
        "[" * 100_000,
        '{"pid": 1, "start_time": null, "devices": []}',
    ],
)
def test_junk_is_passed_over_and_left_alone(folder: Path, text: str) -> None:
    Ledger(folder).write([USE])
    junk = folder / "7.json"
    junk.write_text(text)
    (folder / "folder.json").mkdir()
    (folder / "8.json").write_bytes(b"\xff\xfe\x00")
    assert [entry.devices for entry in read_ledgers(folder)] == [(USE,)]
    assert junk.exists()


def test_a_folder_that_is_not_there_has_no_ledgers(folder: Path) -> None:
    assert read_ledgers(folder) == []


def test_a_process_does_not_count_itself_among_the_others(folder: Path) -> None:
    ledger = Ledger(folder)
    ledger.write([USE])
    assert ledger.others() == []


def test_a_removed_ledger_is_gone(folder: Path) -> None:
    ledger = Ledger(folder)
    ledger.write([USE])
    ledger.remove()
    ledger.remove()
    assert read_ledgers(folder) == []


def test_a_forked_child_leaves_its_parents_ledger_alone(folder: Path) -> None:
    script = f"""
import os
from pathlib import Path
from jupyterlab_gpumem.simulator.ledger import DeviceUse, Ledger, read_ledgers
ledger = Ledger(Path({str(folder)!r}))
ledger.write([DeviceUse(0, "sim-0", "x", 2, 1)])
child = os.fork()
if not child:
    ledger.write([])
    ledger.remove()
    os._exit(0)
os.waitpid(child, 0)
print(read_ledgers(ledger.folder)[0].devices[0].used_bytes)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["1"]


def test_server_and_kernels_meet_in_the_runtime_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    assert default_folder() == tmp_path / "gpumem-simulated"
    monkeypatch.delenv("JUPYTER_RUNTIME_DIR")
    assert default_folder().name == "gpumem-simulated"
