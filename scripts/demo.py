"""Start JupyterLab on the demo notebook, on a real GPU if there is one, else on a simulated one."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from jupyter_server.serverapp import list_running_servers

from jupyterlab_gpumem.devices.nvml import NvmlProvider
from jupyterlab_gpumem.devices.provider import ProviderUnavailable

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SIMULATE = "JUPYTERLAB_GPUMEM_SIMULATE"
SIMULATED_GPU = "1x24GiB"
START_DEADLINE_S = 120
STOP_DEADLINE_S = 15


def main(arguments: list[str]) -> int:
    """Run the server until it ends or Ctrl-C is pressed; arguments go to JupyterLab and win."""
    environment = dict(os.environ)
    if SIMULATE not in environment and not has_usable_gpu():
        environment[SIMULATE] = SIMULATED_GPU
    command = [*(sys.executable, "-m", "jupyterlab", "--no-browser", "-y", "--log-level=WARN")]
    # JupyterLab refuses a setting that is given twice.
    own_folder = any(re.match(r"--(ServerApp\.root_dir|notebook-dir)\b", a) for a in arguments)
    if not own_folder:
        command.append(f"--ServerApp.root_dir={EXAMPLES}")
    if os.geteuid() == 0 and "--allow-root" not in arguments:
        command.append("--allow-root")
    server = subprocess.Popen([*command, *arguments], env=environment)  # noqa: S603 - our Python
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    try:
        if info := started(server):
            document = "lab" if own_folder else "lab/tree/demo.ipynb"
            token = f"?token={info['token']}" if info["token"] else ""
            announce(f"{info['url']}{document}{token}", environment.get(SIMULATE))
        return server.wait()
    except KeyboardInterrupt:
        return stop(server)


def has_usable_gpu() -> bool:
    """Whether NVML finds a GPU and the PyTorch of this environment can use it."""
    provider = NvmlProvider()
    try:
        provider.open()
        found = len(provider.devices())
    except ProviderUnavailable:
        return False
    finally:
        provider.close()
    if found == 0:
        return False
    probe = "import sys, torch; sys.exit(not torch.cuda.is_available())"
    usable = subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0  # noqa: S603
    if not usable:
        print(f"NVML finds {found} GPU(s), but the PyTorch installed here cannot use CUDA.")
    return usable


def started(server: subprocess.Popen[bytes]) -> dict[str, Any] | None:
    """Wait until the server listens; what it says of itself, or None if it ended."""
    deadline = time.monotonic() + START_DEADLINE_S
    while server.poll() is None:
        for info in list_running_servers():
            if info["pid"] == server.pid:
                return dict(info)
        if time.monotonic() > deadline:
            server.terminate()
            raise SystemExit(f"JupyterLab did not start within {START_DEADLINE_S} s.")
        time.sleep(0.2)
    return None


def announce(url: str, simulated: str | None) -> None:
    """Print where to go and what will be seen there."""
    if simulated:
        gpu = f"simulated ({simulated}): no GPU is used, every place that shows it says so"
    else:
        gpu = "the real one of this machine, read through NVML"
    print(f"\n  JupyterLab   {url}\n  GPU          {gpu}\n  Stop         Ctrl-C\n", flush=True)


def stop(server: subprocess.Popen[bytes]) -> int:
    """Wait for the server to shut its kernels down; it got the Ctrl-C as well."""
    try:
        server.wait(STOP_DEADLINE_S)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    print("Stopped.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
