"""What the codes of checks and remedies mean, in English; the page has the same, translated."""

from __future__ import annotations

_CHECKS = {
    "server": "server",
    "binding": "Python binding",
    "library": "library",
    "driver": "driver",
    "pid_namespace": "process ids",
    "provider": "source",
    "device": "device",
    "kernel": "kernel",
}
HINT_WORDS = {
    "agent_failed": (
        "Restart the kernel. Until then its memory is shown as the driver counts it, and cannot "
        "be freed from here."
    ),
    "check_driver": (
        "It is asked again by itself. Run nvidia-smi on the computer to see whether the driver "
        "works."
    ),
    "container_utility_capability": (
        "The container has the GPU but not the library that reads it. Start it with "
        "NVIDIA_DRIVER_CAPABILITIES=compute,utility."
    ),
    "driver_crashed": (
        "It is asked again by itself. If it goes on, a GPU may be broken: run nvidia-smi on the "
        "computer."
    ),
    "driver_hangs": (
        "It is asked again by itself. If nvidia-smi hangs too, the computer has to be restarted."
    ),
    "extension_missing": (
        "The extension is not in the environment of that server, or it is switched off. Run "
        "there: pip install jupyterlab-gpumem, and restart it."
    ),
    "gpu_asleep": "Figures come as soon as a program uses it.",
    "gpu_lost": (
        "The GPU no longer answers the computer. Restart the computer; if it comes back, the card"
        " or its power supply may be at fault."
    ),
    "gpu_out_of_sight": (
        "The kernel runs where the server has no access to the driver; what the kernel itself "
        "tells is shown."
    ),
    "gpu_reset": (
        "End the programs that use the GPU and run nvidia-smi --gpu-reset, or restart the computer."
    ),
    "install_binding": (
        'Install "nvidia-ml-py" in the environment of Jupyter Server, and restart the server.'
    ),
    "install_driver": (
        "If this computer has an NVIDIA GPU, install its driver. In a container, start it with "
        '--gpus all and the "utility" capability.'
    ),
    "load_driver": (
        "Load the driver (run nvidia-smi to see what it says), or restart the computer after "
        "installing it."
    ),
    "old_binding": (
        'Uninstall "pynvml" and "nvidia-ml-py3" from the environment of Jupyter Server, install '
        '"nvidia-ml-py", and restart the server.'
    ),
    "permission": (
        "Ask the administrator for access to /dev/nvidia* for the user that runs Jupyter Server."
    ),
    "report_bug": (
        "This should not happen. Please report it, with what the log of Jupyter Server says."
    ),
    "restart_container": (
        "The container has lost its GPUs. Only a new start of the container brings them back."
    ),
    "restart_server_after_driver_upgrade": (
        "Restart the computer, or reload the driver, and then restart Jupyter Server."
    ),
    "share_pid_namespace": (
        "Totals are right. To see the memory of each process, start the container with "
        "--pid=host; without it, kernels report for themselves."
    ),
    "sign_in": (
        "It wants a password, which this command does not know. Look at its page: the panel has "
        "the same checks."
    ),
    "stub_library": (
        "A library that is only meant for building programs is found first. Take its folder "
        '"stubs" out of LD_LIBRARY_PATH.'
    ),
    "wsl_library_order": (
        "Under WSL the library of Windows must come first: remove the NVIDIA driver packages of "
        "the Linux distribution, or put /usr/lib/wsl/lib first in LD_LIBRARY_PATH."
    ),
}


def check_words(name: str) -> str:
    """Name what was looked at."""
    return _CHECKS.get(name, name)


def hint_words(hint: str) -> str:
    """Say what to do; a server of a newer version may name what is not known here."""
    return HINT_WORDS.get(hint, f"See the documentation: {hint}.")
