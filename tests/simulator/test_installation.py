from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=50,
    )


def test_importing_the_simulator_loads_no_torch_and_changes_nothing() -> None:
    done = run(
        "import sys, threading; before = threading.Thread.start\n"
        "from jupyterlab_gpumem import simulator\n"
        "print('torch' in sys.modules, simulator.is_installed(), before is threading.Thread.start)"
    )
    assert done.stdout.split() == ["False", "False", "True"], done.stderr


def test_a_real_gpu_is_not_hidden(tmp_path: Path) -> None:
    done = run(
        "import torch; torch.cuda.is_available = lambda: True\n"
        "from jupyterlab_gpumem import simulator\n"
        f"from pathlib import Path; folder = Path({str(tmp_path)!r})\n"
        "try: simulator.install(folder=folder)\n"
        "except RuntimeError as error: print(error)\n"
        "print(simulator.is_installed(), torch.ones(1).device)\n"
        "simulator.install(force=True, folder=folder)\n"
        "print(simulator.is_installed())\n"
    )
    refusal, *rest = done.stdout.splitlines()
    assert "This machine has a CUDA GPU" in refusal
    assert "force=True" in refusal
    assert rest == ["False cpu", "True"], done.stderr


def test_the_environment_says_what_is_simulated_and_twice_is_once(tmp_path: Path) -> None:
    done = run(
        "import os, sys\n"
        "os.environ['JUPYTERLAB_GPUMEM_SIMULATE'] = '3x8GiB'\n"
        f"os.environ['JUPYTER_RUNTIME_DIR'] = {str(tmp_path)!r}\n"
        "from jupyterlab_gpumem import simulator\n"
        "simulator.install(); simulator.install()\n"
        "import torch\n"
        "print(torch.cuda.device_count(), torch.cuda.mem_get_info(2)[1] // 2**30)\n"
        "print(len(os.listdir(os.environ['JUPYTER_RUNTIME_DIR'] + '/gpumem-simulated')))\n"
    )
    assert done.stdout.split() == ["3", "8", "1"], done.stderr
    assert list((tmp_path / "gpumem-simulated").iterdir()) == []
