"""What an hour of training makes the server keep when the notebook's page is closed.

``python -m bench.kernels.buffer``. Jupyter Server keeps every message of a kernel whose last page
has gone. Counted by the agent's own pauses, for figures that change all the time, with messages of
the size that a real kernel sends.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from jupyterlab_gpumem.agent.sampler import pause_s
from tests.agent.cuda_stand_in import STAND_IN
from tests.environments import current
from tests.kernels import Kernel

HOURS = (1, 24)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        kernel = Kernel(current(), Path(folder))
        try:
            kernel.attach()
            kernel.run(STAND_IN)
            run = kernel.run(
                "import time\nfor _ in range(30):\n"
                "    stats['reserved_bytes.all.current'] += 1; time.sleep(0.1)"
            )
        finally:
            kernel.close()
    sizes = [size_of(m) for m in run.messages if m["msg_type"] == "comm_msg"][:-1]
    size = max(sizes)
    for hours in HOURS:
        count = pushes_in(3600.0 * hours)
        print(
            f"a cell of {hours} h on one GPU: {count} pushes of {size} bytes,"
            f" {count * size / 1e6:.2f} MB in all"
        )


def size_of(message: dict[str, object]) -> int:
    parts = ("header", "parent_header", "metadata", "content")
    return sum(len(json.dumps(message[part], default=str)) for part in parts)


def pushes_in(seconds: float) -> int:
    age, count = 0.0, 0
    while True:
        age += pause_s(age)
        if age > seconds:
            return count
        count += 1


if __name__ == "__main__":
    main()
