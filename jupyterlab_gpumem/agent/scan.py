"""Who holds the memory: one look at all of the process."""

from __future__ import annotations

import contextlib
import gc
import time
from typing import Any, Callable, Dict, Iterator, List, Optional

from .allocators import started_cuda
from .attribution import Attribution
from .background import function_caches, modules, tasks, threads
from .labels import Labels
from .orphans import has_unsettled, orphan_roots
from .registries import python_registries, shell_registries
from .roots import user_phases
from .search import Search
from .storages import Storage, tensor_reader

DEFAULT_LIMIT_S = 5.0


class Scan:
    """What was found. Holds all of it: let go of it before anything is freed."""

    def __init__(self, search: Search, attribution: Attribution, *, is_gpu: bool) -> None:
        self.attribution = attribution
        self.is_gpu = is_gpu
        self.is_partial = search.partial
        self.labels = Labels(search.tensors, search.kinds)
        self.tensors = search.tensors
        self.kinds = search.kinds

    def path_to(self, root: Any, key: int) -> str:
        """Describe the way from a root to a storage."""
        return self.labels.describe(root, self.attribution.way(root, key))


def scan(
    shell: Any,
    *,
    limit_s: float = DEFAULT_LIMIT_S,
    is_wanted: Optional[Callable[[Storage], bool]] = None,
) -> Optional[Scan]:
    """Find out who holds memory; None if PyTorch is not loaded.

    Looks at GPU memory, or at main memory where no GPU is in use. To be called on the main thread
    while no cell runs.
    """
    tensors = tensor_reader()
    if tensors is None:
        return None
    # Neither a subclass nor a mode of the user (or of our simulator) is to see our questions.
    with tensors.torch._C.DisableTorchFunction(), _no_collection():
        search = Search(tensors, shell, deadline=time.perf_counter() + limit_s)
        for tensor in tensors.of_python():
            search.note(tensor)
        phases = [
            *user_phases(shell, tensors.torch),
            function_caches,
            lambda: shell_registries(shell),
            python_registries,
            threads,
            lambda: tasks(shell),
            lambda: modules(search.kinds, shell, of_libraries=False),
        ]
        for phase in phases:
            search.run(phase)
        search.finish()
        is_gpu = _uses_gpu(search)
        wanted = is_wanted or (lambda storage: storage.is_on_gpu is is_gpu)
        _explain_rest(search, shell, wanted)
        return Scan(search, Attribution(search, wanted), is_gpu=is_gpu)


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Let no cycle go meanwhile: we would hold its tensors, and could not say what held them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _uses_gpu(search: Search) -> bool:
    return started_cuda() is not None or any(s.is_on_gpu for s in search.tensors.found.values())


def _explain_rest(search: Search, shell: Any, wanted: Callable[[Storage], bool]) -> None:
    """Look where it costs more, for memory that nothing cheap has explained."""
    unmet = _unmet(search, wanted)
    if not unmet or search.partial:
        # What a limit has cut off is not without a holder.
        return
    roots = orphan_roots(search, unmet)
    if has_unsettled(roots):
        # Else these would show up as keepers themselves.
        roots.clear()
        search.run(lambda: modules(search.kinds, shell, of_libraries=True))
        search.finish()
        roots = orphan_roots(search, _unmet(search, wanted))
    search.run(lambda: roots)
    search.finish()


def _unmet(search: Search, wanted: Callable[[Storage], bool]) -> List[int]:
    """Return the tensors, one for each storage, that no root leads to."""
    met = set()
    unmet: Dict[int, int] = {}
    for tensor, key in search.storage_of.items():
        if key is None or not wanted(search.tensors.found[key]):
            continue
        if search.is_met(tensor):
            met.add(key)
        # Rather the tensor than its storage, to which nothing in Python refers.
        elif key not in unmet or search.is_storage(unmet[key]):
            unmet[key] = tensor
    return [tensor for key, tensor in unmet.items() if key not in met]
