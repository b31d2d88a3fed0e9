"""See who holds GPU memory in JupyterLab, and give it back without restarting the kernel.

Importing this package imports nothing else: user code, the server and kernels share it, and none
may pay for the others.
"""

from __future__ import annotations

from typing import Any

__all__ = ["__version__"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from ._version import __version__

        return __version__
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    return [{"src": "labextension", "dest": "jupyterlab-gpumem"}]


def _jupyter_server_extension_points() -> list[dict[str, Any]]:
    from .server.extension import GpuMem

    return [{"module": "jupyterlab_gpumem", "app": GpuMem}]
