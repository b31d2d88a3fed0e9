"""What comes free on a real GPU, and what stays."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

import torch

from jupyterlab_gpumem.agent.flush import flush
from jupyterlab_gpumem.agent.steps import Steps
from jupyterlab_gpumem.agent.storages import count, find_storages

from .findings import Finding, absent, judged, told

if TYPE_CHECKING:
    from collections.abc import Iterator

MIB = 2**20


def storages_are_found() -> Iterator[Finding]:
    kept = [torch.empty(8 * MIB, dtype=torch.uint8, device="cuda") for _ in range(5)]
    view = kept[0][: MIB // 2]
    found = count(find_storages() or [], alive=True).gpu_bytes
    allocated = torch.cuda.memory_allocated()
    yield judged(
        "tensors that Python sees are what is allocated",
        f"{found // MIB} of {allocated // MIB} MiB",
        good=found == allocated,
    )
    del kept, view


def workspaces_come_free() -> Iterator[Finding]:
    left, right = torch.randn(2048, 2048, device="cuda"), torch.randn(2048, 2048, device="cuda")
    (left @ right).sum().item()
    del left, right
    gc.collect()
    yield told("allocated when only workspaces of cuBLAS are left", size())
    clear: Any = getattr(torch._C, "_cuda_clearCublasWorkspaces", None)
    if clear is None:
        yield absent("clearing workspaces", "this PyTorch has no such call")
    else:
        clear()
        yield told("allocated after clearing them", size())
    flush(Steps())
    reserved = torch.cuda.memory_reserved()
    yield judged("all comes free after a matrix product", size(), good=reserved == 0)


def graph_pools_come_free() -> Iterator[Finding]:
    static = torch.zeros(4 * MIB, device="cuda")
    stream: Any = torch.cuda.Stream()  # type: ignore[no-untyped-call] # PyTorch's own
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        output = static * 2 + 1
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        output = static * 2 + 1
    graph.replay()
    torch.cuda.synchronize()
    yield told("reserved with a recorded graph", size())
    del output, static
    flush(Steps())
    yield told("reserved with the graph alone", size())
    del graph
    flush(Steps())
    yield judged(
        "the pool of a dropped graph comes free", size(), good=torch.cuda.memory_reserved() == 0
    )


def emptied_tensors_fail_in_python() -> Iterator[Finding]:
    tensor = torch.randn(1024, 1024, device="cuda")
    tensor.data = torch.empty(0, device="cuda")
    answer = "no error"
    try:
        (tensor @ torch.randn(1024, 8, device="cuda")).sum().item()
    except Exception as error:  # noqa: BLE001 - its kind is the answer
        answer = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    yield judged(
        "a tensor whose data was taken fails in Python",
        answer,
        good=answer.startswith(("RuntimeError", "IndexError")),
    )
    torch.cuda.synchronize()
    yield judged("and CUDA goes on", float(torch.ones(4, device="cuda").sum()), good=True)


def saved_tensors_can_be_seen() -> Iterator[Finding]:
    leaf = torch.randn(16, device="cuda", requires_grad=True)
    node: Any = (leaf * leaf).grad_fn
    saved: Any = getattr(node, "_raw_saved_self", None)
    yield told(
        f"PyTorch {torch.__version__}: saved tensors show their data without hooks",
        "no such attribute" if saved is None else hasattr(saved, "data"),
    )


def size() -> str:
    allocated, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
    return f"{allocated / MIB:.1f} MiB allocated, {reserved / MIB:.1f} reserved"


CHECKS = (
    storages_are_found,
    workspaces_come_free,
    graph_pools_come_free,
    emptied_tensors_fail_in_python,
    saved_tensors_can_be_seen,
)
