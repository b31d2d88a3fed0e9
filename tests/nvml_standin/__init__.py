"""A stand-in for NVIDIA's driver library, for tests: it knows no GPU, only a scenario file.

    standin = Standin(tmp_path)  # a folder of its own; the library is built once per run
    standin.play(Scenario(gpus=[Gpu(processes=[Process(4711, 2 * GIB)])]))

In this process: ``with standin.loaded(): ...`` makes the real ``pynvml`` use it.
In another one: start it with ``env={**os.environ, **standin.env()}``, before it loads NVML; kernels
started by that process inherit it.

``standin.play(...)`` again, at any time, changes what the driver says; a call that is waiting
because of a ``Delay`` returns when the new scenario has none. ``standin.calls()`` lists the calls
so far, ``standin.sweeps()`` counts how often all devices were looked at. ``omit`` builds a driver
that is too old: ``Standin(tmp_path, omit=("V3",))``, of ``V3``, ``V2`` and ``MEMORY_V2``.
"""

from .library import Call, Standin, no_driver
from .scenario import GIB, Delay, Fault, Gpu, MigDevice, Process, Scenario

__all__ = [
    "GIB",
    "Call",
    "Delay",
    "Fault",
    "Gpu",
    "MigDevice",
    "Process",
    "Scenario",
    "Standin",
    "no_driver",
]
