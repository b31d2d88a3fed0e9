"""A stand-in for ``torch.cuda``, as text that a test runs in a kernel."""

from __future__ import annotations

from typing import Any

# Never imports torch: the agent looks modules up by name, so these stand for a torch that is there.
STAND_IN = """
import sys, types
stats = {'allocated_bytes.all.current': 1000, 'reserved_bytes.all.current': 4000,
         'allocated_bytes.all.peak': 2000, 'inactive_split_bytes.all.current': 10,
         'active_bytes.all.current': 1100, 'num_ooms': 2, 'num_alloc_retries': 3}
contexts = {0}
cuda = types.ModuleType('torch.cuda')
cuda.is_initialized = lambda: started
cuda.device_count = lambda: 2
cuda.get_allocator_backend = lambda: 'native'
cuda.memory_stats = lambda index: dict(stats)
cuda.get_device_properties = lambda index: types.SimpleNamespace(
    name='Test GPU', uuid='GPU-ABCD-%d' % index, total_memory=24 * 2**30,
    pci_domain_id=0, pci_bus_id=7 + index, pci_device_id=0)
c = types.ModuleType('torch._C')
c._cuda_hasPrimaryContext = lambda index: index in contexts
sys.modules.update({'torch': types.ModuleType('torch'), 'torch.cuda': cuda, 'torch._C': c})
started = True
"""
DEVICE: dict[str, Any] = {
    "index": 0,
    "uuid": "abcd-0",
    "pci": "0000:07:00.0",
    "name": "Test GPU",
    "total_bytes": 24 * 2**30,
    "allocated_bytes": 1000,
    "reserved_bytes": 4000,
    "active_bytes": 1100,
    "peak_allocated_bytes": 2000,
    "cell_peak_allocated_bytes": None,
    "inactive_split_bytes": 10,
    "num_ooms": 2,
    "num_alloc_retries": 3,
}
