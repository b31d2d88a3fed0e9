"""Which bytes came free by what: credit goes to what was dropped, not to the collector."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Set, Tuple

from ..wire import Dropped
from ..wire import Root as RootKind
from .roots import Root
from .scan import Scan
from .storages import Held


class Picked(NamedTuple):
    """A root that is to be dropped; holds no object of the user."""

    id: str
    kind: RootKind
    path: str
    cache: Any

    @property
    def name(self) -> str:
        """What the root is called among those of its kind."""
        return self.id.split(":", 1)[1]


class _Entry(NamedTuple):
    ref: Any
    nbytes: int
    is_on_gpu: bool
    credited: Optional[str]
    is_free_then: bool


class Ledger:
    """Remember storages weakly, with the dropped root that each would be credited to."""

    def __init__(self) -> None:
        self._entries: Dict[int, _Entry] = {}
        self._named: Dict[str, Tuple[RootKind, str]] = {}
        self._picked: Dict[str, None] = {}

    def learn(self, found: Scan, picked: List[Picked]) -> None:
        """Write down what ``picked`` roots lead to, before they are dropped."""
        ids = {p.id for p in picked}
        self._picked.update((p.id, None) for p in picked)
        self._named.update((p.id, (p.kind, p.path)) for p in picked)
        attribution = found.attribution
        verdicts: Dict[int, Tuple[Optional[str], bool]] = {}
        for key, storage in attribution.storages.items():
            mask = attribution.masks[key]
            if mask not in verdicts:
                verdicts[mask] = self._verdict(list(attribution.roots_in(mask)), ids)
            credited, is_free_then = verdicts[mask]
            known = self._entries.get(key)
            if known is None or known.credited is None or known.ref.expired():
                self._entries[key] = _Entry(
                    storage.ref, storage.nbytes, storage.is_on_gpu, credited, is_free_then
                )

    def _verdict(self, roots: List[Root], ids: Set[str]) -> Tuple[Optional[str], bool]:
        """Choose the root to credit, and tell whether nothing else holds the memory."""
        # What goes without being dropped: by the collector, or out of a cache of PyTorch.
        collected = [root for root in roots if root.kind in ("garbage", "unknown")]
        self._named.update((root.id, (root.kind, root.path)) for root in collected)
        chosen = next((r for r in roots if r.id in ids), None) or next(iter(collected), None)
        is_free = bool(roots) and all(r.id in ids or r.kind == "garbage" for r in roots)
        return (None if chosen is None else chosen.id), is_free

    def dropped(self, *, would_be: bool = False) -> List[Dropped]:
        """Return what was dropped with the bytes that came free by it, most first.

        With ``would_be`` the bytes that would come free.
        """
        sizes: Dict[str, int] = dict.fromkeys(self._picked, 0)
        for entry in self._entries.values():
            is_free = entry.is_free_then if would_be else entry.ref.expired()
            if entry.credited is not None and is_free:
                sizes[entry.credited] = sizes.get(entry.credited, 0) + entry.nbytes
        ranked = sorted(sizes.items(), key=lambda item: -item[1])
        return [
            {"root": self._named[name][0], "path": self._named[name][1], "bytes": size}
            for name, size in ranked
        ]

    def freeable(self) -> Held:
        """Add up what would come free."""
        free = [entry for entry in self._entries.values() if entry.is_free_then]
        on_gpu = sum(entry.nbytes for entry in free if entry.is_on_gpu)
        return Held(on_gpu, sum(entry.nbytes for entry in free) - on_gpu)


def pick(found: Scan, *, ids: Optional[List[str]], keep: List[str]) -> List[Picked]:
    """Choose the roots that level ``objects`` drops."""
    return [
        Picked(root.id, root.kind, root.path, root.cache)
        for root in found.attribution.roots
        if root.deletable and root.id not in keep and (ids is None or root.id in ids)
    ]
