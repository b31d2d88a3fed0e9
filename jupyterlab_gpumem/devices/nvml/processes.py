"""Who has memory on a device: the driver's process lists, as far as they can be believed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jupyterlab_gpumem.devices.provider import ProcessEntry

from .faults import FUNCTION_NOT_FOUND, NOT_SUPPORTED, NvmlFault

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from jupyterlab_gpumem.wire import ProcessKind

    from .binding import Binding, RawProcess

    Listed: TypeAlias = tuple[ProcessKind, RawProcess]

NO_INSTANCE = 2**32 - 1
LARGEST_PID = 2**22
_LISTS: tuple[tuple[str, ProcessKind], ...] = (
    ("Compute", "compute"),
    ("Graphics", "graphics"),
    ("MPSCompute", "mps"),
)


class ProcessReader:
    """Read process lists, remembering which versions of the calls are missing or garbled."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self._unusable: set[str] = set()

    def read(
        self, handle: Any, *, total_bytes: int | None, has_instances: bool = False
    ) -> list[Listed] | None:
        """Return all entries, ``None`` if the driver keeps the computing ones to itself.

        Raises :class:`NvmlFault` for any other refusal.
        """
        found: list[Listed] = []
        for name, kind in _LISTS:
            entries = self._list(name, handle, total_bytes, has_instances=has_instances)
            if entries is not None:
                found += [(kind, entry) for entry in entries]
            elif kind == "compute":
                return None
        return found

    def _list(
        self, name: str, handle: Any, total_bytes: int | None, *, has_instances: bool
    ) -> list[RawProcess] | None:
        for version in ("v3", "v2"):
            symbol = f"nvmlDeviceGet{name}RunningProcesses_{version}"
            if symbol in self._unusable:
                continue
            try:
                entries = self._binding.process_list(symbol, handle)
            except NvmlFault as fault:
                if fault.code == NOT_SUPPORTED:
                    return None
                if fault.code != FUNCTION_NOT_FOUND:
                    raise
                self._unusable.add(symbol)
                continue
            if all(_is_plausible(entry, total_bytes, has_instances) for entry in entries):
                return entries
            self._unusable.add(symbol)
        return None


def merge(listed: Iterable[Listed]) -> tuple[ProcessEntry, ...]:
    """Return one entry per process.

    A process in two lists has the same memory in both, so the larger number counts, not the sum.
    """
    merged: dict[int, ProcessEntry] = {}
    for kind, raw in listed:
        entry = ProcessEntry(raw.pid, raw.used_bytes, kind)
        if known := merged.get(raw.pid):
            sizes = [size for size in (known.used_bytes, raw.used_bytes) if size is not None]
            joint: ProcessKind = "mps" if "mps" in (kind, known.kind) else "both"
            entry = ProcessEntry(
                raw.pid, max(sizes, default=None), kind if kind == known.kind else joint
            )
        merged[raw.pid] = entry
    return tuple(merged.values())


def _is_plausible(entry: RawProcess, total_bytes: int | None, has_instances: bool) -> bool:
    """Tell whether an entry can be true.

    Some drivers wrote entries of another size than the symbol's version stands for: from the
    second on, pids and sizes change places.
    """
    if not 0 < entry.pid <= LARGEST_PID:
        return False
    if total_bytes and entry.used_bytes is not None and entry.used_bytes > total_bytes:
        return False
    instances = (entry.gpu_instance, entry.compute_instance)
    return has_instances or instances == (NO_INSTANCE, NO_INSTANCE)
