"""Installs the agent in a kernel: the server sends the text of this file, and calls ``boot``."""

from __future__ import annotations

import base64
import importlib
import importlib.abc
import importlib.machinery
import json
import sys
import types
import zlib
from typing import Any, Dict, Optional, Sequence

PACKAGE = "_jupyterlab_gpumem"
AGENT = PACKAGE + ".agent"


class Sources(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Import modules from texts, so that nothing is written to the kernel's disk."""

    def __init__(self, texts: Dict[str, str]) -> None:
        self._texts = texts

    def find_spec(
        self, name: str, path: Optional[Sequence[Any]] = None, target: Any = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        """Return a spec for the modules we have a text of."""
        if name not in self._texts:
            return None
        is_package = any(other.startswith(name + ".") for other in self._texts)
        return importlib.machinery.ModuleSpec(name, self, is_package=is_package)

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the text of ``module``, which is not needed any more then."""
        name = module.__name__
        exec(compile(self._texts.pop(name), f"<{name}>", "exec"), module.__dict__)  # noqa: S102


class Failed:
    """Stands in for the agent and tells why there is none."""

    def __init__(self, message: str) -> None:
        self._reply = {"kind": "refused", "reason": "error", "message": message}

    def _repr_mimebundle_(self, **_: Any) -> Dict[str, Any]:
        return {"application/json": self._reply, "text/plain": "<jupyterlab_gpumem failed>"}


def forget() -> None:
    """Take our modules out of the kernel."""
    for name in [n for n in sys.modules if n == PACKAGE or n.startswith(PACKAGE + ".")]:
        del sys.modules[name]


def boot(version: str, payload: str) -> Any:
    """Install the agent unless this version is there, and return its greeting.

    Never raises: even an error in a silent request is shown to everybody who listens.
    """
    try:
        if getattr(sys.modules.get(PACKAGE), "__version__", None) != version:
            forget()
            install(version, payload)
        return sys.modules[AGENT].hello()
    except (Exception, KeyboardInterrupt) as failure:  # noqa: BLE001  told to the asker
        forget()
        return Failed(f"{type(failure).__name__}: {failure}"[:500])


def install(version: str, payload: str) -> None:
    """Import the agent from ``payload`` and start it."""
    sources = Sources(json.loads(zlib.decompress(base64.b85decode(payload))))
    sys.meta_path.insert(0, sources)
    try:
        importlib.import_module(AGENT).attach(version)
    finally:
        sys.meta_path.remove(sources)
    # Last: a version that could not be started must not count as present.
    vars(sys.modules[PACKAGE])["__version__"] = version
