"""What works on a machine and what does not, on made-up folder trees."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from jupyterlab_gpumem.devices.checks import machine_checks
from jupyterlab_gpumem.devices.claims import INITIAL_NAMESPACE
from jupyterlab_gpumem.devices.nvml import origin
from tests.kernels import check_contract

from .reading import NOWHERE

if TYPE_CHECKING:
    from pathlib import Path

    from jupyterlab_gpumem.wire import Check, Device, Provider, ProviderState

VERSION = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23 10:11:16 2025\n"


def provider(
    state: ProviderState = "ok", *, name: str = "nvml", hint: str | None = None
) -> Provider:
    return {"name": name, "state": state, "detail": "", "hint": hint}


def device(**changes: Any) -> Device:
    memory = dict.fromkeys(("total_bytes", "used_bytes", "reserved_bytes", "free_bytes"))
    value: Any = {
        "key": "nvml:aaaa",
        "provider": "nvml",
        "kind": "dedicated",
        "index": 0,
        "name": "NVIDIA H100",
        "parent_key": None,
        "state": "ok",
        "stale": False,
        "age_ms": 0,
        "memory": {**memory, "used_includes_reserved": False},
        "utilization_pct": None,
        "temperature_c": None,
        "power_w": None,
        "processes": [],
        "other_bytes": 0,
        "unattributed_bytes": 0,
        **changes,
    }
    check_contract(value, "Device")
    made: Device = value
    return made


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def with_card(root: Path) -> Path:
    folder = root / "sys/bus/pci/devices/0000:07:00.0"
    write(folder / "vendor", "0x10de\n")
    write(folder / "class", "0x030000\n")
    return root


def found(
    name: str,
    *devices: Device,
    root: Path = NOWHERE,
    providers: tuple[Provider, ...] = (provider(),),
) -> list[Check]:
    checks = machine_checks(providers, devices, root=root)
    for check in checks:
        check_contract(check, "Check")
    return [check for check in checks if check["name"] == name]


def only(name: str, *devices: Device, **options: Any) -> tuple[str, str | None]:
    [check] = found(name, *devices, **options)
    return check["state"], check["hint"]


def test_the_binding_is_named_with_its_version_and_file() -> None:
    [check] = found("binding")
    assert check["state"] == "ok"
    assert check["detail"].startswith("nvidia-ml-py ")
    assert check["detail"].endswith(".py")


@pytest.mark.parametrize(
    ("versions", "shadowed"),
    [
        ({"nvidia-ml-py": "13.615.71"}, False),
        ({"nvidia-ml-py": "13.615.71", "pynvml": "11.5.0"}, True),
        ({"nvidia-ml-py": "13.615.71", "pynvml": "13.0.1"}, False),
        ({"nvidia-ml-py": "13.615.71", "nvidia-ml-py3": "7.352.0"}, True),
    ],
)
def test_other_distributions_of_the_same_module_are_told_apart(
    versions: dict[str, str], shadowed: bool
) -> None:
    assert origin.shadows(versions) is shadowed


def test_a_driver_is_named_by_its_version(tmp_path: Path) -> None:
    write(tmp_path / "proc/driver/nvidia/version", VERSION)
    [check] = found("driver", root=tmp_path)
    assert (check["state"], check["detail"]) == ("ok", "NVIDIA 580.95.05")


def test_a_card_without_a_driver_is_an_error_and_no_card_is_none(tmp_path: Path) -> None:
    assert only("driver", root=tmp_path) == ("info", None)
    assert only("driver", root=with_card(tmp_path)) == ("error", "load_driver")
    write(tmp_path / "dev/dxg", "")  # Windows has the driver
    assert only("driver", root=tmp_path) == ("info", None)


def with_library(root: Path, path: str) -> Path:
    line = f"7f5029fcc000-7f5029fcd000 r-xp 00000000 08:01 1234    {path}\n"
    write(root / f"proc/{os.getpid()}/maps", line)
    return root


def test_the_library_is_named_by_its_file(tmp_path: Path) -> None:
    path = "/usr/lib/with a space/libnvidia-ml.so.580.95.05"
    write(tmp_path / "proc/driver/nvidia/version", VERSION)
    [check] = found("library", root=with_library(tmp_path, path))
    assert (check["state"], check["detail"]) == ("ok", path)


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("/usr/local/cuda/lib64/stubs/libnvidia-ml.so", "stub_library"),
        ("/usr/lib/libnvidia-ml.so.535.1.2", "restart_server_after_driver_upgrade"),
    ],
)
def test_a_library_that_cannot_work_says_why(tmp_path: Path, path: str, hint: str) -> None:
    write(tmp_path / "proc/driver/nvidia/version", VERSION)
    assert only("library", root=with_library(tmp_path, path)) == ("error", hint)


def test_a_namespace_of_its_own_matters_only_where_gpus_are_read(tmp_path: Path) -> None:
    write(tmp_path / "proc/self/ns/pid", "")
    assert (tmp_path / "proc/self/ns/pid").stat().st_ino != INITIAL_NAMESPACE
    assert only("pid_namespace", root=tmp_path) == ("info", None)
    warned = ("warning", "share_pid_namespace")
    assert only("pid_namespace", device(), root=tmp_path) == warned


@pytest.mark.parametrize(
    ("state", "hint", "card", "level"),
    [
        ("ok", None, False, "ok"),
        ("no_library", "install_driver", False, "info"),
        ("no_library", "install_driver", True, "error"),
        ("no_library", "container_utility_capability", False, "error"),
        ("no_devices", None, False, "info"),
        ("off", None, False, "info"),
        ("hung", "driver_hangs", True, "error"),
        ("version_mismatch", "restart_server_after_driver_upgrade", True, "error"),
    ],
)
def test_a_source_is_wrong_only_where_there_should_be_figures(
    tmp_path: Path, state: ProviderState, hint: str | None, card: bool, level: str
) -> None:
    root = with_card(tmp_path) if card else tmp_path
    assert only("provider", root=root, providers=(provider(state, hint=hint),)) == (level, hint)


@pytest.mark.parametrize(
    ("changes", "level", "hint"),
    [
        ({}, "ok", None),
        ({"state": "lost", "stale": True}, "error", "gpu_lost"),
        ({"state": "reset_required"}, "error", "gpu_reset"),
        ({"state": "no_permission"}, "error", "permission"),
        ({"state": "partial"}, "warning", None),
        ({"stale": True}, "warning", None),
        ({"processes": None}, "warning", None),
        ({"processes": None, "provider": "kernel", "key": "kernel:mps"}, "ok", None),
    ],
)
def test_a_device_says_what_is_the_matter(
    changes: dict[str, Any], level: str, hint: str | None
) -> None:
    assert only("device", device(**changes)) == (level, hint)


def test_a_gpu_cut_into_instances_need_not_list_processes() -> None:
    part = device(key="nvml:mig-bbbb", kind="mig", parent_key="nvml:aaaa")
    states = [check["state"] for check in found("device", device(processes=None), part)]
    assert states == ["ok", "ok"]


def test_without_the_nvml_provider_its_software_is_not_looked_for() -> None:
    assert found("binding", providers=(provider(name="host"),)) == []
