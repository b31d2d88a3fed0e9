"""Start JupyterLab on the demo notebook, on a real GPU if there is one, else on a simulated one."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from jupyterlab_gpumem.devices.nvml import NvmlProvider
from jupyterlab_gpumem.devices.provider import ProviderUnavailable

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SIMULATE = "JUPYTERLAB_GPUMEM_SIMULATE"
SIMULATED_GPU = "1x24GiB"
FIRST_PORT = 8888
START_DEADLINE_S = 120
STOP_DEADLINE_S = 15


def main(arguments: list[str]) -> int:
    """Run the server until it ends or Ctrl-C is pressed."""
    environment = dict(os.environ)
    if SIMULATE not in environment and not has_usable_gpu():
        environment[SIMULATE] = SIMULATED_GPU
    port, token = free_port(), secrets.token_hex(16)
    command = [
        *(sys.executable, "-m", "jupyter", "lab", "--no-browser", "-y", "--log-level=WARN"),
        f"--ServerApp.root_dir={EXAMPLES}",
        f"--ServerApp.port={port}",
        f"--IdentityProvider.token={token}",
        *(["--allow-root"] if os.geteuid() == 0 else []),
        *arguments,
    ]
    server = subprocess.Popen(command, env=environment)  # noqa: S603 - our own interpreter
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())
    try:
        if wait_until_up(server, f"http://127.0.0.1:{port}/api/status?token={token}"):
            url = f"http://127.0.0.1:{port}/lab/tree/demo.ipynb?token={token}"
            announce(url, environment.get(SIMULATE))
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


def free_port() -> int:
    """Return the first free port from the one that Jupyter is used to, or any."""
    for port in [*range(FIRST_PORT, FIRST_PORT + 50), 0]:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise SystemExit("No free port on 127.0.0.1.")


def wait_until_up(server: subprocess.Popen[bytes], url: str) -> bool:
    """Return whether the server answers before it ends."""
    deadline = time.monotonic() + START_DEADLINE_S
    while server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):  # noqa: S310 - a loopback address
                return True
        except (urllib.error.URLError, OSError):
            if time.monotonic() > deadline:
                server.terminate()
                message = f"JupyterLab did not answer within {START_DEADLINE_S} s."
                raise SystemExit(message) from None
            time.sleep(0.2)
    return False


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
