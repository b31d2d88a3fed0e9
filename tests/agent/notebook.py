"""As much of a shell as a scan looks at, for tests in this process."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from jupyterlab_gpumem.agent.scan import Scan, scan


class Notebook:
    """A namespace that can be searched."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {}
        nothing: dict[str, Any] = {}
        history = SimpleNamespace(output_hist={})
        self.shell: Any = SimpleNamespace(
            user_ns=self.names,
            user_ns_hidden={},
            displayhook=SimpleNamespace(_="", __="", ___="", exec_result=None),
            display_formatter=SimpleNamespace(formatters=nothing),
            magics_manager=SimpleNamespace(magics=nothing, user_magics=SimpleNamespace()),
            events=SimpleNamespace(callbacks=nothing),
            history_manager=history,
            last_execution_result=None,
            kernel=SimpleNamespace(comm_manager=SimpleNamespace(targets=nothing)),
            InteractiveTB=SimpleNamespace(),
            SyntaxTB=SimpleNamespace(),
        )

    def scan(self, *, limit_s: float = 20.0) -> Scan:
        """Look around, in main memory."""
        found = scan(self.shell, limit_s=limit_s)
        assert found is not None
        return found

    def held(self) -> dict[str, int]:
        """Return what each variable reaches, in bytes."""
        attribution = self.scan().attribution
        return {
            root.path: sum(
                storage.nbytes
                for key, storage in attribution.storages.items()
                if root in attribution.roots_in(attribution.masks[key])
            )
            for root in attribution.roots
            if root.kind == "variable"
        }

    def paths(self) -> list[str]:
        """Return the way to each storage, the largest first."""
        found = self.scan()
        attribution = found.attribution
        keys = sorted(attribution.storages, key=lambda k: -attribution.storages[k].nbytes)
        told = []
        for key in keys:
            root = attribution.first_root(key)
            told.append("" if root is None else found.path_to(root, key))
        return told
