"""Runs a script in a pid namespace of its own, as a container would."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[1]
# As root nothing else is needed; another user may make a namespace only inside one of users.
AS_ROOT = () if os.geteuid() == 0 else ("--user", "--map-root-user")
UNSHARE = ("unshare", *AS_ROOT, "--pid", "--fork", "--kill-child", "--mount-proc")
# Device files are made in a folder of the namespace's own: nothing outside sees them.
PRIVATE_DEV = """
set -e
mount -t tmpfs tmpfs "$0"
for node in null zero full random urandom; do
    touch "$0/$node"
    mount --bind "/dev/$node" "$0/$node"
done
mkdir "$0/shm"
ln -s /proc/self/fd "$0/fd"
touch "$0/nvidia0"
mount --rbind "$0" /dev
exec "$@"
"""


def in_namespace(dev: Path) -> tuple[str, ...]:
    """Return what to put before a command; it then sees ``/dev/nvidia0``, a plain file.

    Fails where the system does not allow it: these tests have nothing to take its place.
    """
    dev.mkdir(exist_ok=True)
    return (*UNSHARE, "sh", "-c", PRIVATE_DEV, str(dev))


def run_in_namespace(script: str, dev: Path) -> Any:
    """Run a Python script in a namespace and return the JSON it prints."""
    command = [*in_namespace(dev), sys.executable, "-c", script]
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
