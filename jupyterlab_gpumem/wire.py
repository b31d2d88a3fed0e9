"""The wire contract as Python types.

Mirrors ``contract/wire.schema.json``, where each field is described; a test compares the two. The
server sends this file into kernels together with the agent, so it stays within Python 3.8 and the
standard library.
"""

from __future__ import annotations

from typing import List, Literal, Optional, TypedDict, Union

WIRE_VERSION: Literal[1] = 1
COMM_TARGET = "jupyterlab_gpumem"
"""Comm target name of the agent's messages."""
COMM_ID = "jupyterlab_gpumem.figures"
"""Fixed comm id of the agent's pushes: nothing is opened, so nothing has to be re-opened."""
NAMESPACE = "jupyterlab-gpumem/v1"
"""Base path of the REST routes below the server's base URL."""

Level = Literal["cache", "objects", "reset"]
ProviderState = Literal[
    "starting",
    "ok",
    "no_library",
    "no_driver",
    "version_mismatch",
    "no_permission",
    "no_devices",
    "old_binding",
    "hung",
    "error",
    "asleep",
    "off",
]
DeviceKind = Literal["dedicated", "unified", "mig", "vgpu", "host", "simulated"]
DeviceState = Literal["ok", "partial", "lost", "reset_required", "no_permission", "asleep", "error"]
ProcessKind = Literal["compute", "graphics", "both", "mps", "host"]
ProcessRelation = Literal["kernel", "child", "orphan", "other", "unknown"]
UsedSource = Literal["driver", "kernel"]
AgentState = Literal["waiting", "attached", "unsupported", "off", "failed"]
CheckState = Literal["ok", "info", "warning", "error"]
OperationState = Literal["waiting", "interrupting", "running"]
WhenBusy = Literal["fail", "interrupt", "wait"]
Outcome = Literal["freed", "failed", "cancelled"]
LibraryName = Literal["cupy", "jax", "tensorflow", "xpu"]
Root = Literal[
    "variable",
    "output",
    "exception",
    "figure",
    "widget",
    "script",
    "store",
    "debugger",
    "function_cache",
    "hook",
    "thread",
    "task",
    "module",
    "garbage",
    "unknown",
]
Category = Literal["parameter", "gradient", "optimizer_state", "buffer", "graph", "tensor"]
ExplanationCode = Literal[
    "exception",
    "outputs",
    "graph_kept",
    "graph_on_output",
    "optimizer",
    "second_name",
    "view",
    "function_cache",
    "module",
    "thread",
    "suspended",
    "hook",
    "hook_refers",
    "garbage",
    "workers",
    "cached",
    "in_use",
    "fragmentation",
    "context",
    "broken",
]
MemoryKind = Literal["gpu", "host"]
ErrorReason = Literal[
    "bad_request",
    "unknown_kernel",
    "busy",
    "still_busy",
    "in_progress",
    "nothing_waits",
    "no_agent",
    "refused",
    "kernel_failed",
    "timeout",
]
RefusedReason = Literal["cell_running", "newer_cell", "not_main_thread", "capture", "error"]


class Provider(TypedDict):
    name: str
    state: ProviderState
    detail: str
    hint: Optional[str]


class Memory(TypedDict):
    total_bytes: Optional[int]
    used_bytes: Optional[int]
    reserved_bytes: Optional[int]
    free_bytes: Optional[int]
    used_includes_reserved: bool


class Process(TypedDict):
    pid: int
    used_bytes: Optional[int]
    kind: ProcessKind
    relation: ProcessRelation
    kernel_id: Optional[str]
    name: Optional[str]


class Device(TypedDict):
    key: str
    provider: str
    kind: DeviceKind
    index: Optional[int]
    name: str
    parent_key: Optional[str]
    state: DeviceState
    stale: bool
    age_ms: Optional[int]
    memory: Memory
    utilization_pct: Optional[int]
    temperature_c: Optional[int]
    power_w: Optional[float]
    processes: Optional[List[Process]]
    other_bytes: Optional[int]
    unattributed_bytes: Optional[int]


class Agent(TypedDict):
    state: AgentState
    reason: Optional[str]
    sampled_at_ms: Optional[int]


class KernelDevice(TypedDict):
    key: str
    used_bytes: Optional[int]
    used_source: Optional[UsedSource]
    allocated_bytes: Optional[int]
    reserved_bytes: Optional[int]
    active_bytes: Optional[int]
    peak_allocated_bytes: Optional[int]
    cell_peak_allocated_bytes: Optional[int]
    inactive_split_bytes: Optional[int]
    num_ooms: Optional[int]
    num_alloc_retries: Optional[int]
    context_bytes: Optional[int]


class FreeEnd(TypedDict):
    id: str
    level: Level
    outcome: Outcome
    requested_at_ms: int
    ended_at_ms: int


class Operation(TypedDict):
    id: str
    level: Level
    state: OperationState
    requested_at_ms: int


class LibraryMemory(TypedDict):
    library: LibraryName
    device: str
    used_bytes: Optional[int]
    reserved_bytes: Optional[int]
    peak_bytes: Optional[int]


class CellDevice(TypedDict):
    key: str
    allocated_before_bytes: Optional[int]
    allocated_after_bytes: Optional[int]
    peak_allocated_bytes: Optional[int]
    seen_allocated_bytes: Optional[int]
    reserved_before_bytes: Optional[int]
    reserved_after_bytes: Optional[int]


class Cell(TypedDict):
    cell: int
    cell_id: Optional[str]
    execution_count: Optional[int]
    began_ms: int
    duration_ms: int
    error: Optional[str]
    out_of_memory: bool
    devices: List[CellDevice]


class Cells(TypedDict):
    wire_version: Literal[1]
    cells: List[Cell]


class Refreshed(TypedDict):
    wire_version: Literal[1]
    fresh: bool
    agent: Agent


class Kernel(TypedDict):
    id: str
    name: str
    display_name: Optional[str]
    path: Optional[str]
    document_name: Optional[str]
    document_type: Optional[str]
    execution_state: str
    last_activity_ms: Optional[int]
    pid: Optional[int]
    agent: Agent
    devices: List[KernelDevice]
    allocator_backend: Optional[str]
    expandable_segments: Optional[bool]
    libraries: List[LibraryMemory]
    last_cell: Optional[Cell]
    operation: Optional[Operation]
    last_free: Optional[FreeEnd]


class Snapshot(TypedDict):
    wire_version: Literal[1]
    taken_at_ms: int
    interval_ms: int
    providers: List[Provider]
    devices: List[Device]
    kernels: List[Kernel]


class DeviceSeries(TypedDict):
    key: str
    points: List[List[Optional[int]]]


class KernelSeries(TypedDict):
    id: str
    key: str
    points: List[List[Optional[int]]]


class History(TypedDict):
    wire_version: Literal[1]
    taken_at_ms: int
    interval_ms: int
    devices: List[DeviceSeries]
    kernels: List[KernelSeries]


class Check(TypedDict):
    name: str
    state: CheckState
    detail: str
    hint: Optional[str]


class Diagnostics(TypedDict):
    wire_version: Literal[1]
    taken_at_ms: int
    checks: List[Check]


class _FreeRequestRequired(TypedDict):
    level: Level


class FreeRequest(_FreeRequestRequired, total=False):
    keep_imports: bool
    when_busy: WhenBusy
    ids: List[str]
    keep: List[str]
    dry_run: bool


class CategoryBytes(TypedDict):
    category: Category
    bytes: Optional[int]


class DeviceBytes(TypedDict):
    device: str
    bytes: Optional[int]


class Holder(TypedDict):
    id: str
    root: Root
    path: str
    detail: str
    category: Category
    categories: List[CategoryBytes]
    devices: List[DeviceBytes]
    reaches_bytes: int
    only_bytes: int
    tensors: int
    shared_with: List[str]
    deletable: bool


class HeldTensor(TypedDict):
    path: str
    root: Root
    holder: Optional[str]
    shape: List[int]
    dtype: str
    device: str
    bytes: int
    category: Category
    requires_grad: bool


class Explanation(TypedDict):
    code: ExplanationCode
    path: Optional[str]
    other: Optional[str]
    bytes: Optional[int]
    count: Optional[int]


class Holders(TypedDict):
    wire_version: Literal[1]
    scan_ms: int
    partial: bool
    memory: MemoryKind
    visible_bytes: Optional[int]
    allocated_bytes: Optional[int]
    invisible_bytes: Optional[int]
    holders: List[Holder]
    holders_count: int
    tensors: List[HeldTensor]
    tensors_count: int
    explanations: List[Explanation]


class StillHeld(TypedDict):
    root: Root
    path: str
    bytes: int


class Dropped(TypedDict):
    root: Root
    path: str
    bytes: Optional[int]


class Step(TypedDict):
    name: str
    ms: int
    error: Optional[str]


class FreeReport(TypedDict):
    wire_version: Literal[1]
    level: Level
    dry_run: bool
    before: List[KernelDevice]
    after: List[KernelDevice]
    freed_bytes: Optional[int]
    freed_host_bytes: Optional[int]
    still_held_bytes: Optional[int]
    still_held: List[StillHeld]
    invisible_bytes: Optional[int]
    context_bytes: Optional[int]
    dropped: List[Dropped]
    dropped_count: int
    explanations: List[Explanation]
    steps: List[Step]
    needs_restart: bool
    duration_ms: int


class ErrorBody(TypedDict):
    wire_version: Literal[1]
    reason: ErrorReason
    message: str
    field: Optional[str]


class FreeStatus(TypedDict):
    wire_version: Literal[1]
    operation: Optional[Operation]
    last: Optional[FreeEnd]
    report: Optional[FreeReport]
    error: Optional[ErrorBody]


class Allocator(TypedDict):
    index: int
    uuid: Optional[str]
    pci: Optional[str]
    name: str
    total_bytes: Optional[int]
    allocated_bytes: Optional[int]
    reserved_bytes: Optional[int]
    active_bytes: Optional[int]
    peak_allocated_bytes: Optional[int]
    cell_peak_allocated_bytes: Optional[int]
    inactive_split_bytes: Optional[int]
    num_ooms: Optional[int]
    num_alloc_retries: Optional[int]


class AgentCellDevice(TypedDict):
    index: int
    uuid: Optional[str]
    allocated_before_bytes: Optional[int]
    allocated_after_bytes: Optional[int]
    peak_allocated_bytes: Optional[int]
    seen_allocated_bytes: Optional[int]
    reserved_before_bytes: Optional[int]
    reserved_after_bytes: Optional[int]


class AgentCell(TypedDict):
    cell: int
    cell_id: Optional[str]
    execution_count: Optional[int]
    began_ms: int
    duration_ms: int
    error: Optional[str]
    out_of_memory: bool
    devices: List[AgentCellDevice]


class Push(TypedDict):
    wire_version: Literal[1]
    kind: Literal["figures"]
    pid: int
    cell: int
    running: bool
    allocators: Optional[List[Allocator]]
    backend: Optional[str]
    expandable_segments: Optional[bool]
    libraries: List[LibraryMemory]
    cells: List[AgentCell]


class AgentFreeReport(TypedDict):
    before: Optional[List[Allocator]]
    after: Optional[List[Allocator]]
    freed_bytes: Optional[int]
    freed_host_bytes: Optional[int]
    still_held_bytes: Optional[int]
    still_held: List[StillHeld]
    invisible_bytes: Optional[int]
    dropped: List[Dropped]
    dropped_count: int
    explanations: List[Explanation]
    steps: List[Step]
    duration_ms: int


class AgentHello(TypedDict):
    kind: Literal["hello"]
    version: str
    figures: Push


class AgentFreed(TypedDict):
    kind: Literal["freed"]
    report: AgentFreeReport
    figures: Push


class AgentHolders(TypedDict):
    kind: Literal["holders"]
    holders: Holders
    figures: Push


class AgentRefused(TypedDict):
    kind: Literal["refused"]
    reason: RefusedReason
    message: str


AgentReply = Union[AgentHello, AgentFreed, AgentHolders, AgentRefused]
