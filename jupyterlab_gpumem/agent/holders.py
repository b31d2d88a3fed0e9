"""What a scan has found, as it goes on the wire."""

from __future__ import annotations

import time
from typing import Any, Dict, List, Optional

from ..wire import (
    WIRE_VERSION,
    Allocator,
    Category,
    DeviceBytes,
    HeldTensor,
    Holder,
    Holders,
    StillHeld,
)
from .allocators import Allocators
from .attribution import Attribution
from .explain import explain_scan
from .roots import Root
from .scan import Scan, scan
from .text import plain

MAX_ROWS = 200
MAX_STILL_HELD = 50
_MAX_SHARED = 8
_UNEXPLAINED = "no name was found in time"


def holders(
    shell: Any, allocators: Allocators, *, limit: int, offset: int, limit_s: float
) -> Holders:
    """Tell who holds memory: ``limit`` holders and tensors from ``offset`` on."""
    began = time.perf_counter()
    found = scan(shell, limit_s=limit_s)
    figures = allocators.read()
    allocated = allocated_bytes(figures)
    rows = slice(offset, offset + min(limit, MAX_ROWS))
    visible = visible_bytes(found)
    listed = _Rows(found) if found is not None else None
    keys = listed.keys if listed is not None else []
    roots = listed.roots if listed is not None else []
    return {
        "wire_version": WIRE_VERSION,
        "scan_ms": int((time.perf_counter() - began) * 1000),
        "partial": found is not None and found.is_partial,
        "memory": "gpu" if found is not None and found.is_gpu else "host",
        "visible_bytes": visible,
        "allocated_bytes": allocated,
        "invisible_bytes": invisible_bytes(found, figures),
        "holders": [listed.holder(root) for root in roots[rows]] if listed is not None else [],
        "holders_count": len(roots),
        "tensors": [listed.tensor(key) for key in keys[rows]] if listed is not None else [],
        "tensors_count": len(keys),
        "explanations": explain_scan(found, figures),
    }


def still_held(found: Optional[Scan]) -> List[StillHeld]:
    """Tell who holds what is left, each storage for one holder only."""
    if found is None:
        return []
    attribution = found.attribution
    groups: Dict[Optional[Root], List[int]] = {}
    for key in attribution.storages:
        groups.setdefault(attribution.first_root(key), []).append(key)
    rows = sorted(groups.items(), key=lambda item: -_total(attribution, item[1]))
    told: List[StillHeld] = []
    for root, keys in rows[:MAX_STILL_HELD]:
        largest = max(keys, key=lambda key: attribution.storages[key].nbytes)
        path = _UNEXPLAINED if root is None else found.path_to(root, largest)
        kind = "unknown" if root is None else root.kind
        told.append({"root": kind, "path": path, "bytes": _total(attribution, keys)})
    return told


def visible_bytes(found: Optional[Scan]) -> Optional[int]:
    """Add up all storages that a scan has found."""
    if found is None:
        return None
    return sum(storage.nbytes for storage in found.attribution.storages.values())


def allocated_bytes(figures: Optional[List[Allocator]]) -> Optional[int]:
    """Add up what PyTorch's allocator counts; None if it does not count."""
    sizes = [f["allocated_bytes"] for f in figures or []]
    known = [size for size in sizes if size is not None]
    return sum(known) if known and len(known) == len(sizes) else None


def invisible_bytes(found: Optional[Scan], figures: Optional[List[Allocator]]) -> Optional[int]:
    """Return the allocated memory that no storage explains; the allocator rounds each up."""
    allocated = allocated_bytes(figures)
    if found is None or not found.is_gpu or allocated is None:
        return None
    rounded = sum(-(-s.nbytes // 512) * 512 for s in found.attribution.storages.values())
    return max(0, allocated - rounded)


def _total(attribution: Attribution, keys: List[int]) -> int:
    return sum(attribution.storages[key].nbytes for key in keys)


class _Rows:
    """Holders and tensors of a scan, the largest first."""

    def __init__(self, found: Scan) -> None:
        self._found = found
        attribution = self._attribution = found.attribution
        self._shares = [
            (share, len(keys), _total(attribution, keys))
            for share, keys in attribution.shares().items()
        ]
        self._bits = {root: 1 << number for number, root in enumerate(attribution.roots)}
        reached = {root: self._sum(root) for root in attribution.roots}
        self.roots = sorted(attribution.roots, key=lambda root: -reached[root])
        self.keys = sorted(attribution.storages, key=lambda k: -attribution.storages[k].nbytes)

    def holder(self, root: Root) -> Holder:
        bit = self._bits[root]
        shares = [entry for entry in self._shares if entry[0].mask & bit]
        categories: Dict[Category, int] = {}
        devices: Dict[str, int] = {}
        others = 0
        for share, _, size in shares:
            categories[share.category] = categories.get(share.category, 0) + size
            devices[share.device] = devices.get(share.device, 0) + size
            others |= share.mask
        ranked = sorted(categories.items(), key=lambda item: -item[1])
        shared = [other.path for other in self._attribution.roots_in(others & ~bit)]
        placed: List[DeviceBytes] = [
            {"device": plain(name, 40), "bytes": size} for name, size in sorted(devices.items())
        ]
        return {
            "id": root.id,
            "root": root.kind,
            "path": root.path,
            "detail": self._detail(root, bit, ranked[0][0]),
            "category": ranked[0][0],
            "categories": [{"category": name, "bytes": size} for name, size in ranked],
            "devices": placed[:64],
            "reaches_bytes": sum(size for _, _, size in shares),
            "only_bytes": sum(size for share, _, size in shares if share.mask == bit),
            "tensors": sum(number for _, number, _ in shares),
            "shared_with": shared[:_MAX_SHARED],
            "deletable": root.deletable,
        }

    def tensor(self, key: int) -> HeldTensor:
        attribution = self._attribution
        root = attribution.first_root(key)
        storage = attribution.storages[key]
        sample = attribution.sample(key)
        return {
            "path": _UNEXPLAINED if root is None else self._found.path_to(root, key),
            "root": "unknown" if root is None else root.kind,
            "holder": None if root is None else root.id,
            "shape": self._found.tensors.shape_of(sample)[:16],
            "dtype": plain(self._found.tensors.dtype_of(sample), 40),
            "device": plain(storage.device, 40),
            "bytes": storage.nbytes,
            "category": attribution.categories[key],
            "requires_grad": self._found.tensors.requires_grad(sample),
        }

    def _sum(self, root: Root) -> int:
        bit = self._bits[root]
        return sum(size for share, _, size in self._shares if share.mask & bit)

    def _detail(self, root: Root, bit: int, category: Category) -> str:
        masks, categories = self._attribution.masks, self._attribution.categories
        reached = [key for key in self.keys if masks[key] & bit]
        reached = [key for key in reached if categories[key] == category]
        # What goes with it tells more than what others have too.
        key = next((key for key in reached if masks[key] == bit), reached[0])
        path = self._found.path_to(root, key)
        start = root.starts[0]
        many = len(start) - 1 if type(start) is list or type(start) is tuple else 0
        if many and path.endswith("] → autograd graph"):
            return plain(f"{root.path}[0…{many}] → autograd graph", 300)
        return path
