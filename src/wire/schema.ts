/**
 * The wire contract as types.
 * Generated from contract/wire.schema.json by `jlpm contract`: change that file, not this one.
 */

/**
 * What a source of device figures can do at the moment.
 */
export type ProviderState =
  | 'starting'
  | 'ok'
  | 'no_library'
  | 'no_driver'
  | 'version_mismatch'
  | 'no_permission'
  | 'no_devices'
  | 'old_binding'
  | 'hung'
  | 'error'
  | 'asleep'
  | 'off';
/**
 * What sort of memory this device is.
 */
export type DeviceKind = 'dedicated' | 'unified' | 'mig' | 'vgpu' | 'host' | 'simulated';
/**
 * Whether the device answers.
 */
export type DeviceState = 'ok' | 'partial' | 'lost' | 'reset_required' | 'no_permission' | 'asleep' | 'error';
/**
 * How the process uses the device.
 */
export type ProcessKind = 'compute' | 'graphics' | 'both' | 'mps' | 'host';
/**
 * Whether our agent in the kernel answers: `attached` it does, `waiting` it comes at the next idle, `unsupported` not a Python kernel, `off` by configuration, `failed` with a reason.
 */
export type AgentState = 'waiting' | 'attached' | 'unsupported' | 'off' | 'failed';
/**
 * How much a free gives up: `cache` only unused allocator memory, `reset` everything the user made.
 */
export type Level = 'cache' | 'reset';
/**
 * `ok` works, `info` worth knowing, `warning` some figures are missing or less exact, `error` something has to be repaired.
 */
export type CheckState = 'ok' | 'info' | 'warning' | 'error';
/**
 * Kind of holder that was given up.
 */
export type Root = 'variable' | 'output' | 'exception' | 'figure' | 'widget';
/**
 * Stable code of a refused request.
 */
export type ErrorReason =
  | 'bad_request'
  | 'unknown_kernel'
  | 'busy'
  | 'still_busy'
  | 'in_progress'
  | 'nothing_waits'
  | 'no_agent'
  | 'refused'
  | 'kernel_failed'
  | 'timeout';
/**
 * A size in bytes; null when it is not known.
 */
export type Bytes = number | null;
/**
 * Answer to an ask by execute request, sent to the asker only.
 */
export type AgentReply = AgentHello | AgentFreed | AgentRefused;

/**
 * Everything that crosses a process border: browser to server (REST), server to kernel (comm and execute reply). Sizes are bytes, times milliseconds, unknown is null.
 */
export interface Wire {
  snapshot: Snapshot;
  history: History;
  diagnostics: Diagnostics;
  free_request: FreeRequest;
  free_report: FreeReport;
  free_status: FreeStatus;
  error: ErrorBody;
  push: Push;
  agent_reply: AgentReply;
}
/**
 * Answer of GET snapshot: all that the panel shows.
 */
export interface Snapshot {
  /**
   * Version of this contract.
   */
  wire_version: 1;
  /**
   * Server clock when the snapshot was put together, since the epoch.
   */
  taken_at_ms: number;
  /**
   * How often the server reads the devices, and how often to ask again.
   */
  interval_ms: number;
  /**
   * Sources of device figures, in configured order.
   */
  providers: Provider[];
  /**
   * Devices in stable order.
   */
  devices: Device[];
  /**
   * Running kernels of this server.
   */
  kernels: Kernel[];
}
/**
 * A source of device figures.
 */
export interface Provider {
  /**
   * nvml, host or simulated.
   */
  name: string;
  state: ProviderState;
  /**
   * What the source itself said, for diagnostics; may be empty.
   */
  detail: string;
  /**
   * Stable code of a remedy that the page puts into words; null when nothing is to be done.
   */
  hint: string | null;
}
/**
 * One GPU, or the memory of the machine.
 */
export interface Device {
  /**
   * Stable identity: provider and UUID, never the index.
   */
  key: string;
  /**
   * Name of the provider it comes from.
   */
  provider: string;
  kind: DeviceKind;
  /**
   * Number the driver gives it, for display only.
   */
  index: number | null;
  /**
   * Product name.
   */
  name: string;
  /**
   * Key of the physical GPU that a MIG instance belongs to.
   */
  parent_key: string | null;
  state: DeviceState;
  /**
   * True when the figures are older than three intervals.
   */
  stale: boolean;
  /**
   * How old the memory figures are; null when there never were any.
   */
  age_ms: number | null;
  memory: Memory;
  /**
   * Share of time a kernel ran on the device.
   */
  utilization_pct: number | null;
  /**
   * Core temperature.
   */
  temperature_c: number | null;
  /**
   * Power draw.
   */
  power_w: number | null;
  /**
   * Processes with memory on the device; null when they cannot be listed, [] when there are none.
   */
  processes: Process[] | null;
  /**
   * Held by listed processes that belong to no kernel of this server.
   */
  other_bytes: number | null;
  /**
   * Used memory that no listed process accounts for.
   */
  unattributed_bytes: number | null;
}
/**
 * Memory of a device.
 */
export interface Memory {
  /**
   * Installed memory.
   */
  total_bytes: number | null;
  /**
   * Memory in use by processes.
   */
  used_bytes: number | null;
  /**
   * Kept by driver and firmware.
   */
  reserved_bytes: number | null;
  /**
   * Memory that can be allocated.
   */
  free_bytes: number | null;
  /**
   * True when an old driver counts its own reserve as used.
   */
  used_includes_reserved: boolean;
}
/**
 * A process with memory on a device.
 */
export interface Process {
  /**
   * Process id as this server sees it.
   */
  pid: number;
  /**
   * Device memory of the process.
   */
  used_bytes: number | null;
  kind: ProcessKind;
  /**
   * Kernel that the process is, or is a child of; null for other processes.
   */
  kernel_id: string | null;
  /**
   * Name of the program; null for processes of other users.
   */
  name: string | null;
}
/**
 * A running kernel of this server.
 */
export interface Kernel {
  /**
   * Kernel id of Jupyter Server.
   */
  id: string;
  /**
   * Name of the kernel spec.
   */
  name: string;
  /**
   * Name of the kernel spec to show; null when the spec is gone.
   */
  display_name: string | null;
  /**
   * Path of the notebook or console; null when no session names it.
   */
  path: string | null;
  /**
   * Name to show; null when no document is known.
   */
  document_name: string | null;
  /**
   * What opened the kernel: notebook, console, file …; null when no session names it.
   */
  document_type: string | null;
  /**
   * idle, busy, starting … as Jupyter Server reports it.
   */
  execution_state: string;
  /**
   * When the kernel was last active, since the epoch.
   */
  last_activity_ms: number | null;
  /**
   * Process id of the kernel; null when it runs elsewhere.
   */
  pid: number | null;
  agent: Agent;
  /**
   * Memory of this kernel per device.
   */
  devices: KernelDevice[];
  /**
   * Cleanup under way or waiting; null when there is none.
   */
  operation: Operation | null;
  /**
   * The cleanup that ended last, whose report GET kernels/{id}/free tells; null when there was none.
   */
  last_free: FreeEnd | null;
}
/**
 * Our agent in the kernel.
 */
export interface Agent {
  state: AgentState;
  /**
   * Why it is not attached; null when it is.
   */
  reason: string | null;
  /**
   * When the agent last reported, server clock; null when it never did.
   */
  sampled_at_ms: number | null;
}
/**
 * Memory of one kernel on one device.
 */
export interface KernelDevice {
  /**
   * Key of the device.
   */
  key: string;
  /**
   * What the driver counts for the kernel and its children.
   */
  used_bytes: number | null;
  /**
   * Held by live tensors (PyTorch allocator).
   */
  allocated_bytes: number | null;
  /**
   * Taken from the driver by the allocator.
   */
  reserved_bytes: number | null;
  /**
   * Highest allocated figure since the last reset.
   */
  peak_allocated_bytes: number | null;
  /**
   * Free, but stuck in segments that also hold live blocks.
   */
  inactive_split_bytes: number | null;
  /**
   * used − reserved: CUDA context and memory outside PyTorch's allocator.
   */
  context_bytes: number | null;
}
/**
 * A cleanup under way in a kernel, or waiting for the cell that runs.
 */
export interface Operation {
  /**
   * Names this cleanup; its end carries the same.
   */
  id: string;
  level: Level;
  /**
   * `waiting` for the kernel to become idle, `interrupting` while a running cell is stopped, then `running`. Only a waiting one can be cancelled.
   */
  state: 'waiting' | 'interrupting' | 'running';
  /**
   * When it was asked for, since the epoch.
   */
  requested_at_ms: number;
}
/**
 * How a cleanup ended: `freed` see its report, `failed` see its error, `cancelled` by DELETE kernels/{id}/free before it had begun.
 */
export interface FreeEnd {
  /**
   * The id its operation had.
   */
  id: string;
  level: Level;
  outcome: 'freed' | 'failed' | 'cancelled';
  /**
   * When it ended, since the epoch.
   */
  ended_at_ms: number;
}
/**
 * Answer of GET history: the figures of the last minutes, which the server keeps while somebody looks.
 */
export interface History {
  wire_version: 1;
  /**
   * Server clock of this answer, since the epoch; pass it as since_ms to get only what is newer.
   */
  taken_at_ms: number;
  /**
   * How far apart points are while somebody looks; a wider gap means that nobody did.
   */
  interval_ms: number;
  /**
   * One series per device.
   */
  devices: DeviceSeries[];
  /**
   * One series per running kernel and device.
   */
  kernels: KernelSeries[];
}
/**
 * Memory of a device over time.
 */
export interface DeviceSeries {
  /**
   * Key of the device.
   */
  key: string;
  /**
   * Oldest first, each [time in ms since the epoch, used_bytes]; an unknown size is null.
   */
  points: (number | null)[][];
}
/**
 * Memory of a kernel on one device over time.
 */
export interface KernelSeries {
  /**
   * Kernel id of Jupyter Server.
   */
  id: string;
  /**
   * Key of the device.
   */
  key: string;
  /**
   * Oldest first, each [time in ms since the epoch, used_bytes, allocated_bytes, reserved_bytes]; an unknown size is null.
   */
  points: (number | null)[][];
}
/**
 * Answer of GET diagnostics: what works, what does not, and what to do about it.
 */
export interface Diagnostics {
  wire_version: 1;
  /**
   * Server clock, since the epoch.
   */
  taken_at_ms: number;
  /**
   * In the order to show them.
   */
  checks: Check[];
}
/**
 * One thing that was looked at.
 */
export interface Check {
  /**
   * Stable code of what was looked at: server, binding, library, driver, pid_namespace, provider, device, kernel. Some come several times.
   */
  name: string;
  state: CheckState;
  /**
   * What was found, as text to show and to copy.
   */
  detail: string;
  /**
   * Stable code of a remedy that the page puts into words; null when nothing is to be done.
   */
  hint: string | null;
}
/**
 * Body of POST kernels/{id}/free.
 */
export interface FreeRequest {
  level: Level;
  /**
   * Keep modules and what was imported from modules (level reset); default true.
   */
  keep_imports?: boolean;
  /**
   * If a cell runs: `fail` with 409 (default), `interrupt` it first, or `wait`: answered 202, done when the kernel is idle and has nothing queued.
   */
  when_busy?: 'fail' | 'interrupt' | 'wait';
}
/**
 * Answer of POST kernels/{id}/free: what happened, with proof.
 */
export interface FreeReport {
  wire_version: 1;
  level: Level;
  /**
   * Figures per device before the cleanup.
   */
  before: KernelDevice[];
  /**
   * Figures per device after it.
   */
  after: KernelDevice[];
  /**
   * Bytes of GPU tensor storages that are gone, proved by weak references; null when PyTorch is not loaded.
   */
  freed_bytes: number | null;
  /**
   * The same for tensor storages in main memory.
   */
  freed_host_bytes: number | null;
  /**
   * Bytes of GPU tensor storages that are still alive.
   */
  still_held_bytes: number | null;
  /**
   * CUDA context and memory outside PyTorch, which goes only with the kernel.
   */
  context_bytes: number | null;
  /**
   * What was given up, at most 200 entries.
   *
   * @maxItems 200
   */
  dropped: Dropped[];
  /**
   * How many there were in all.
   */
  dropped_count: number;
  /**
   * The steps in order; a failed one does not stop the next.
   */
  steps: Step[];
  /**
   * True when CUDA is broken in this process, as after a device-side assert: nothing but a restart of the kernel helps.
   */
  needs_restart: boolean;
  /**
   * Time inside the kernel.
   */
  duration_ms: number;
}
/**
 * One holder that was given up.
 */
export interface Dropped {
  root: Root;
  /**
   * Its name, as text to show and nothing else.
   */
  path: string;
}
/**
 * One step of a cleanup.
 */
export interface Step {
  /**
   * Stable code of the step.
   */
  name: string;
  /**
   * How long it took.
   */
  ms: number;
  /**
   * Type and text of the failure; null when it went well.
   */
  error: string | null;
}
/**
 * Answer of GET and DELETE kernels/{id}/free, and of POST with status 202 if the cleanup waits.
 */
export interface FreeStatus {
  wire_version: 1;
  /**
   * Cleanup under way or waiting; null when there is none.
   */
  operation: Operation | null;
  /**
   * The cleanup that ended last; null when there was none.
   */
  last: FreeEnd | null;
  /**
   * Report of the last one; null unless its outcome is `freed`.
   */
  report: FreeReport | null;
  /**
   * Why the last one failed; null unless its outcome is `failed`.
   */
  error: ErrorBody | null;
}
/**
 * Body of every 4xx and 5xx of ours.
 */
export interface ErrorBody {
  wire_version: 1;
  reason: ErrorReason;
  /**
   * What went wrong and what to do, in English.
   */
  message: string;
  /**
   * Path of the wrong field of the body; null when that is not the trouble.
   */
  field: string | null;
}
/**
 * Comm message of the agent, numbers only. Sent at the end of each cell, and while one runs when a figure changed.
 */
export interface Push {
  wire_version: 1;
  kind: 'figures';
  /**
   * Process id as the kernel sees it.
   */
  pid: number;
  /**
   * How many cells have been started since the agent came.
   */
  cell: number;
  /**
   * Whether a cell runs.
   */
  running: boolean;
  /**
   * One entry per initialised device; null when PyTorch has not started CUDA.
   */
  allocators: Allocator[] | null;
}
/**
 * Figures of PyTorch's allocator on one initialised device, as the agent reads them.
 */
export interface Allocator {
  /**
   * CUDA index inside the kernel; not the driver's.
   */
  index: number;
  /**
   * UUID without prefix, lower case; null when PyTorch is too old to tell.
   */
  uuid: string | null;
  /**
   * Product name.
   */
  name: string;
  allocated_bytes: Bytes;
  reserved_bytes: Bytes;
  peak_allocated_bytes: Bytes;
  inactive_split_bytes: Bytes;
}
/**
 * The agent is there.
 */
export interface AgentHello {
  kind: 'hello';
  /**
   * Version of the agent's source.
   */
  version: string;
  figures: Push;
}
/**
 * A cleanup was done.
 */
export interface AgentFreed {
  kind: 'freed';
  report: AgentFreeReport;
  figures: Push;
}
/**
 * What the agent says after a cleanup; the server adds the driver's figures.
 */
export interface AgentFreeReport {
  before: Allocator[] | null;
  after: Allocator[] | null;
  freed_bytes: Bytes;
  freed_host_bytes: Bytes;
  still_held_bytes: Bytes;
  /**
   * @maxItems 200
   */
  dropped: Dropped[];
  dropped_count: number;
  steps: Step[];
  duration_ms: number;
}
/**
 * Nothing was done: `cell_running` a cell is suspended in await, `newer_cell` cells have run since the asker last heard, `not_main_thread`, `capture` a CUDA graph is being recorded, `error` see message.
 */
export interface AgentRefused {
  kind: 'refused';
  reason: 'cell_running' | 'newer_cell' | 'not_main_thread' | 'capture' | 'error';
  message: string;
}
