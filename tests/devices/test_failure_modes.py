"""The 43 ways in which reading GPUs fails, and the one test that answers for each.

Grouped as they were found: the library and its start, values of a device, processes, instances and
virtual GPUs, and the life of a GPU. A way may be touched by other tests too; those name it.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]

LIBRARY, VALUES, FAULTS = "test_nvml_library.py", "test_nvml_values.py", "test_nvml_faults.py"
PROCESSES, LIFECYCLE = "test_nvml_processes.py", "test_nvml_lifecycle.py"
SHOWN, HANG, ISOLATED, SAMPLER = (
    "test_shown_figures.py",
    "test_hang.py",
    "test_isolated_server.py",
    "test_sampler.py",
)
START = "test_a_failing_start_becomes_a_state_with_a_remedy_and_heals"
UNIFIED = "test_a_gpu_without_memory_of_its_own_shows_the_systems"

MODES: dict[str, tuple[str, str, str]] = {
    "F1": (
        "no library",
        LIBRARY,
        "test_without_a_driver_the_state_is_no_library_and_a_later_driver_is_found",
    ),
    "F2": (
        "container without the utility capability",
        LIBRARY,
        "test_a_container_with_a_gpu_but_no_library_is_told_about_the_utility_capability",
    ),
    "F3": ("stub library", LIBRARY, "test_a_stub_library_is_named"),
    "F4": (
        "WSL, wrong library first",
        LIBRARY,
        "test_on_wsl_a_driver_that_is_not_loaded_points_at_the_library_order",
    ),
    "F5": ("driver not loaded", LIBRARY, f"{START}[F5-driver-not-loaded]"),
    "F6": ("driver upgraded in use", LIBRARY, f"{START}[F6-upgraded]"),
    "F7": (
        "container lost its GPUs",
        LIBRARY,
        "test_a_container_that_lost_its_gpus_is_told_to_restart",
    ),
    "F8": ("no permission", LIBRARY, f"{START}[F8-no-permission]"),
    "F9": ("no devices", LIBRARY, "test_no_devices_is_not_an_error_and_a_new_one_is_counted"),
    "F10": (
        "slow start",
        HANG,
        "test_a_start_that_hangs_is_a_hang_like_any_and_is_not_begun_again",
    ),
    "F11": (
        "lost GPU",
        FAULTS,
        "test_a_lost_gpu_stays_listed_by_its_name_and_hides_no_other[15-from-the-handle]",
    ),
    "F12": (
        "the library crashes",
        ISOLATED,
        "test_a_crash_of_the_library_costs_figures_only_and_only_for_a_while",
    ),
    "F13": (
        "driver's reserve",
        VALUES,
        "test_reserved_memory_is_shown_apart_where_the_driver_tells",
    ),
    "F14": (
        "memory v2 absent",
        VALUES,
        "test_a_driver_without_version_2_falls_back_and_says_what_its_number_includes",
    ),
    "F15": ("wrong structure version", VALUES, "test_a_refused_structure_version_falls_back_too"),
    "F16": ("unified memory", VALUES, f"{UNIFIED}[F16-not-supported]"),
    "F17": ("zeros from an old Jetson", VALUES, f"{UNIFIED}[F17-zeros]"),
    "F18": (
        "page cache in GPU memory",
        SHOWN,
        "test_memory_that_no_process_accounts_for_is_shown_apart",
    ),
    "F19": ("used beyond total", VALUES, "test_a_size_that_cannot_be_is_unknown[214748364800]"),
    "F20": (
        "layers that limit one side only",
        SHOWN,
        "test_a_layer_that_limits_a_gpu_is_believed_where_it_speaks",
    ),
    "F21": (
        "utilisation not supported",
        VALUES,
        "test_utilisation_that_is_not_supported_is_unknown_and_asked_once",
    ),
    "F22": ("needs a reset", FAULTS, "test_a_gpu_that_needs_a_reset_says_so"),
    "F23": ("counted, not allowed", FAULTS, "test_a_gpu_that_others_were_given_is_left_out"),
    "F24": (
        "entries of another size",
        PROCESSES,
        "test_entries_of_another_size_are_noticed_and_read_by_the_older_call[32]",
    ),
    "F25": (
        "no v3 list, no v2 list",
        PROCESSES,
        "test_old_drivers_are_asked_by_the_older_calls_or_not_at_all[before-R450]",
    ),
    "F26": ("size not available", PROCESSES, "test_a_process_of_unknown_size_is_listed_as_that"),
    "F27": (
        "list grows between calls",
        PROCESSES,
        "test_a_list_that_outgrows_its_array_is_read_again_at_once",
    ),
    "F28": (
        "process has ended",
        SHOWN,
        "test_a_process_that_has_ended_is_nobodys_and_costs_no_line_in_the_log",
    ),
    "F29": ("MPS", PROCESSES, "test_clients_of_the_multi_process_service_are_listed_as_such"),
    "F30": (
        "processes beyond what is used",
        SHOWN,
        "test_processes_that_add_up_to_more_than_is_used_leave_nothing_and_not_less",
    ),
    "F31": ("sleeping GPU", LIFECYCLE, "test_a_sleeping_gpu_is_not_woken"),
    "F32": ("an open library blocks resets", LIFECYCLE, "test_closing_shuts_the_library_down"),
    "F33": (
        "instances, parent refuses",
        LIFECYCLE,
        "test_instances_are_devices_with_a_parent_also_where_the_parent_refuses",
    ),
    "F34": (
        "stale handles of instances",
        LIFECYCLE,
        "test_instances_are_looked_up_anew_after_a_new_partitioning",
    ),
    "F35": (
        "utilisation of instances",
        LIFECYCLE,
        "test_instances_have_no_utilisation_and_are_not_asked",
    ),
    "F36": (
        "processes of instances",
        LIFECYCLE,
        "test_processes_are_listed_at_their_instance_and_not_at_the_gpu_again[True]",
    ),
    "F37": ("virtual GPU", LIFECYCLE, "test_a_virtual_gpu_is_one_by_kind"),
    "F38": ("confidential computing", PROCESSES, "test_the_detailed_list_is_never_asked_for"),
    "F39": ("hot-plug", LIFECYCLE, "test_gpus_come_and_go"),
    "F40": ("fork", LIBRARY, "test_a_forked_child_starts_the_library_for_itself"),
    "F41": (
        "a call hangs",
        HANG,
        "test_a_hang_in_the_driver_delays_no_answer_and_stops_no_other_provider",
    ),
    "F42": (
        "threads",
        SAMPLER,
        "test_any_number_of_simultaneous_requests_cause_one_sweep_in_one_thread[200]",
    ),
    "F43": (
        "GPU shared with strangers",
        SHOWN,
        "test_memory_of_processes_that_are_not_listed_at_all_is_shown_apart",
    ),
}


def test_every_mode_has_a_test_of_its_own() -> None:
    assert list(MODES) == [f"F{number}" for number in range(1, 44)]
    assert len({(file, test) for _, file, test in MODES.values()}) == len(MODES)


@pytest.fixture(scope="module")
def collected() -> set[str]:
    files = sorted({str(HERE / file) for _, file, _ in MODES.values()})
    listing = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", *files],
        capture_output=True,
        text=True,
        cwd=CHECKOUT,
        check=True,
    )
    return {line.rpartition("/")[2] for line in listing.stdout.splitlines() if "::" in line}


@pytest.mark.parametrize("mode", MODES)
def test_the_test_of_a_mode_exists(mode: str, collected: set[str]) -> None:
    _, file, test = MODES[mode]
    assert f"{file}::{test}" in collected


def test_none_of_them_is_skipped() -> None:
    for file in {file for _, file, _ in MODES.values()}:
        source = (HERE / file).read_text()
        assert "skip" not in source, file
        assert "xfail" not in source, file
