"""F1 to F10 and F40: the library, the driver and the start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.nvml import NvmlProvider
from jupyterlab_gpumem.devices.nvml.faults import HINTS
from tests.nvml_standin import Fault, Gpu, Scenario, Standin, no_driver

from .reading import NOWHERE, A, B, opened, read, refusal

if TYPE_CHECKING:
    from pathlib import Path

INIT = "nvmlInitWithFlags"


def make_root(root: Path, *files: str, maps: str = "") -> Path:
    for file in files:
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (root / "proc/self").mkdir(parents=True, exist_ok=True)
    (root / "proc/self/maps").write_text(maps)
    return root


def test_without_a_driver_the_state_is_no_library_and_a_later_driver_is_found(
    driver: Standin,
) -> None:
    """F1."""
    provider = NvmlProvider(root=NOWHERE)
    with no_driver():
        refused = refusal(provider)
    assert (refused.state, refused.hint) == ("no_library", "install_driver")
    provider.open()
    assert len(provider.devices()) == 1


def test_a_container_with_a_gpu_but_no_library_is_told_about_the_utility_capability(
    tmp_path: Path,
) -> None:
    """F2."""
    root = make_root(tmp_path / "root", ".dockerenv", "dev/nvidiactl")
    with no_driver():
        refused = refusal(NvmlProvider(root=root))
    assert (refused.state, refused.hint) == ("no_library", "container_utility_capability")


def test_a_stub_library_is_named(driver: Standin, tmp_path: Path) -> None:
    """F3."""
    stub = "/usr/local/cuda/lib64/stubs/libnvidia-ml.so.1"
    root = make_root(tmp_path / "root", maps=f"7f00-7f01 r-xp 00000000 08:01 42 {stub}\n")
    driver.play(Scenario(faults=[Fault(INIT, 12)]))
    refused = refusal(NvmlProvider(root=root))
    assert refused.hint == "stub_library"
    assert stub in refused.detail


def test_on_wsl_a_driver_that_is_not_loaded_points_at_the_library_order(
    driver: Standin, tmp_path: Path
) -> None:
    """F4."""
    root = make_root(tmp_path / "root", "usr/lib/wsl/lib/libnvidia-ml.so.1")
    driver.play(Scenario(faults=[Fault(INIT, 9)]))
    refused = refusal(NvmlProvider(root=root))
    assert (refused.state, refused.hint) == ("no_driver", "wsl_library_order")


@pytest.mark.parametrize(
    ("code", "state", "hint"),
    [
        pytest.param(9, "no_driver", "load_driver", id="F5-driver-not-loaded"),
        pytest.param(
            18, "version_mismatch", "restart_server_after_driver_upgrade", id="F6-upgraded"
        ),
        pytest.param(999, "error", "check_driver", id="F7-unknown"),
        pytest.param(4, "no_permission", "permission", id="F8-no-permission"),
        pytest.param(12345, "error", "check_driver", id="number-the-binding-does-not-know"),
    ],
)
def test_a_failing_start_becomes_a_state_with_a_remedy_and_heals(
    driver: Standin, code: int, state: str, hint: str
) -> None:
    driver.play(Scenario(faults=[Fault(INIT, code)]))
    provider = NvmlProvider(root=NOWHERE)
    refused = refusal(provider)
    assert (refused.state, refused.hint) == (state, hint)
    assert refused.hint in HINTS
    driver.play(Scenario())
    assert len(read(opened())) == 1


def test_a_container_that_lost_its_gpus_is_told_to_restart(driver: Standin, tmp_path: Path) -> None:
    """F7: also when it happens to a running NVML, whose start is then shut down."""
    provider = opened(root=make_root(tmp_path / "root", "run/.containerenv"))
    read(provider)
    driver.play(Scenario(faults=[Fault("nvmlDeviceGetCount_v2", 999)]))
    refused = refusal(provider)
    assert (refused.state, refused.hint) == ("error", "restart_container")
    assert driver.count("nvmlShutdown") == driver.count(INIT)


def test_no_devices_is_not_an_error_and_a_new_one_is_counted(driver: Standin) -> None:
    """F9."""
    driver.play(Scenario(gpus=[]))
    provider = opened()
    assert read(provider) == {}
    driver.play(Scenario())
    assert len(read(provider)) == 1


def test_the_library_is_started_once_for_many_readings(driver: Standin) -> None:
    """F10."""
    provider = opened()
    for _ in range(5):
        read(provider)
    provider.close()
    provider.close()
    assert (driver.count(INIT), driver.count("nvmlShutdown")) == (1, 1)


def test_a_start_whose_first_count_fails_is_shut_down(driver: Standin) -> None:
    driver.play(Scenario(faults=[Fault("nvmlDeviceGetCount_v2", 999, times=1)]))
    refusal(NvmlProvider(root=NOWHERE))
    assert (driver.count(INIT), driver.count("nvmlShutdown")) == (1, 1)


FORK = """
import json, os, sys
from tests.devices.reading import opened, read
provider = opened()
before = len(read(provider))
readable, writable = os.pipe()
if os.fork() == 0:
    os.write(writable, json.dumps(sorted(read(provider))).encode())
    os._exit(0)
os.wait()
print(json.dumps([before, json.loads(os.read(readable, 9999)), len(read(provider))]))
"""


def test_a_forked_child_starts_the_library_for_itself(driver: Standin) -> None:
    """F40."""
    driver.play(Scenario(gpus=[Gpu(A), Gpu(B)]))
    done = subprocess.run(
        [sys.executable, "-c", FORK],
        env={**os.environ, **driver.env()},
        check=True,
        capture_output=True,
    )
    before, in_child, after = json.loads(done.stdout)
    assert (before, len(in_child), after) == (2, 2, 2)
    starts = [call.pid for call in driver.calls() if call.symbol == INIT]
    assert len(starts) == len(set(starts)) == 2
    # What the parent started is not the child's to stop.
    assert driver.count("nvmlShutdown") == 0
