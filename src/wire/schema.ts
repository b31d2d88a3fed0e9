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
 * What the process is to the kernels: `kernel` one itself, `child` started by one, `orphan` left behind by one that has ended, `other` none of theirs, `unknown` a number that this server, in a container, cannot take for a process of its own.
 */
export type ProcessRelation = 'kernel' | 'child' | 'orphan' | 'other' | 'unknown';
/**
 * Whether our agent in the kernel answers: `attached` it does, `waiting` it comes at the next idle, `unsupported` not a Python kernel, `off` by configuration, `failed` with a reason.
 */
export type AgentState = 'waiting' | 'attached' | 'unsupported' | 'off' | 'failed';
/**
 * Who counted a kernel's memory.
 */
export type UsedSource = 'driver' | 'kernel';
/**
 * A library with an allocator of its own.
 */
export type LibraryName = 'cupy' | 'jax' | 'tensorflow' | 'xpu';
/**
 * How much a free gives up: `cache` only unused allocator memory, `objects` what reaches GPU memory, `reset` everything the user made.
 */
export type Level = 'cache' | 'objects' | 'reset';
/**
 * Kind of holder: `script` names of `%run`, `store` the cache of `%store`, `debugger` its panel of variables, `function_cache` an lru_cache, `hook` what is registered with IPython, Python or a library, `module` a global of an imported module, `garbage` a cycle that the collector has not met yet, `unknown` held, but not by anything we can name.
 */
export type Root =
  | 'variable'
  | 'output'
  | 'exception'
  | 'figure'
  | 'widget'
  | 'script'
  | 'store'
  | 'debugger'
  | 'function_cache'
  | 'hook'
  | 'thread'
  | 'task'
  | 'module'
  | 'garbage'
  | 'unknown';
/**
 * What a tensor is for: `graph` is saved by autograd for a backward pass.
 */
export type Category = 'parameter' | 'gradient' | 'optimizer_state' | 'buffer' | 'graph' | 'tensor';
/**
 * A size in bytes; null when it is not known.
 */
export type Bytes = number | null;
/**
 * What is the matter: `exception` the stored error's frames hold `bytes`; `outputs` `count` stored outputs hold them; `graph_kept` `path` keeps `count` results with their graphs; `graph_on_output` `path` was computed without no_grad and keeps a graph; `optimizer` `path` keeps the parameters of deleted models and its state; `second_name` `path` and `other` are the same memory; `view` the small view `path` keeps a large storage; `function_cache` of `path`; `module` a global of an imported module; `thread` `path` must end first; `suspended` the generator `path` keeps its locals; `hook` `path` is registered and must be removed; `hook_refers` the hook `path` of the user refers to the deleted name `other`; `garbage` cycles were waiting for the collector; `workers` `count` child processes have memory of their own; `cached` PyTorch keeps freed memory for itself; `in_use` the cache cannot be given back because tensors are alive; `fragmentation` free memory is split up between live blocks; `context` goes only with the kernel; `broken` CUDA is broken in this kernel, restart it.
 */
export type ExplanationCode =
  | 'exception'
  | 'outputs'
  | 'graph_kept'
  | 'graph_on_output'
  | 'optimizer'
  | 'second_name'
  | 'view'
  | 'function_cache'
  | 'module'
  | 'thread'
  | 'suspended'
  | 'hook'
  | 'hook_refers'
  | 'garbage'
  | 'workers'
  | 'cached'
  | 'in_use'
  | 'fragmentation'
  | 'context'
  | 'broken';
/**
 * `ok` works, `info` worth knowing, `warning` some figures are missing or less exact, `error` something has to be repaired.
 */
export type CheckState = 'ok' | 'info' | 'warning' | 'error';
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
 * Answer to an ask by execute request, sent to the asker only.
 */
export type AgentReply = AgentHello | AgentFreed | AgentHolders | AgentRefused;

/**
 * Everything that crosses a process border: browser to server (REST), server to kernel (comm and execute reply). Sizes are bytes, times milliseconds, unknown is null.
 */
export interface Wire {
  snapshot: Snapshot;
  holders: Holders;
  history: History;
  diagnostics: Diagnostics;
  free_request: FreeRequest;
  free_report: FreeReport;
  free_status: FreeStatus;
  cells: Cells;
  refreshed: Refreshed;
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
   * nvml, drm, host or simulated.
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
  relation: ProcessRelation;
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
   * PyTorch's allocator: native or cudaMallocAsync; null when PyTorch has not started CUDA or does not tell.
   */
  allocator_backend: string | null;
  /**
   * Whether PyTorch's segments can grow, which spares it most fragmentation; null when it is not known.
   */
  expandable_segments: boolean | null;
  /**
   * Memory of other libraries, as they tell it; part of what the driver counts for the kernel.
   */
  libraries: LibraryMemory[];
  /**
   * The cell that ended last; null when none has since the agent came.
   */
  last_cell: Cell | null;
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
   * Memory of the kernel and its children.
   */
  used_bytes: number | null;
  /**
   * Who counted used_bytes: `driver` the driver or the operating system, `kernel` PyTorch in the kernel itself, so that context and other libraries are not in it; null when nobody did.
   */
  used_source: UsedSource | null;
  /**
   * Held by live tensors (PyTorch allocator).
   */
  allocated_bytes: number | null;
  /**
   * Taken from the driver by the allocator.
   */
  reserved_bytes: number | null;
  /**
   * Allocated, or waiting for a stream to be done with it.
   */
  active_bytes: number | null;
  /**
   * Highest allocated figure since the last reset.
   */
  peak_allocated_bytes: number | null;
  /**
   * The same since the last cell began; null when there was none, or the peak of an earlier one hides it.
   */
  cell_peak_allocated_bytes: number | null;
  /**
   * How often memory ran out in this process.
   */
  num_ooms: number | null;
  /**
   * How often the cache had to be emptied to serve a request.
   */
  num_alloc_retries: number | null;
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
 * What a library other than PyTorch's CUDA allocator holds on one device.
 */
export interface LibraryMemory {
  library: LibraryName;
  /**
   * Device as the library numbers it, such as gpu:0.
   */
  device: string;
  /**
   * Held by live arrays.
   */
  used_bytes: number | null;
  /**
   * Taken from the driver; null when the library does not tell.
   */
  reserved_bytes: number | null;
  /**
   * Highest used figure; null when the library does not tell.
   */
  peak_bytes: number | null;
}
/**
 * What one cell did to the memory, by the kernel's own account.
 */
export interface Cell {
  /**
   * How many cells had been started with it since the agent came.
   */
  cell: number;
  /**
   * Id of the cell in the notebook; null for a console and when the page does not send it.
   */
  cell_id: string | null;
  /**
   * The number in brackets beside the cell; null when there is none.
   */
  execution_count: number | null;
  /**
   * When it began, clock of the kernel's machine, since the epoch.
   */
  began_ms: number;
  /**
   * How long it ran.
   */
  duration_ms: number;
  /**
   * Class of the exception it ended with; null when it went well.
   */
  error: string | null;
  /**
   * True when that exception says that a device had no memory left.
   */
  out_of_memory: boolean;
  /**
   * One entry per device that PyTorch uses.
   */
  devices: CellDevice[];
}
/**
 * What one cell did on one device.
 */
export interface CellDevice {
  /**
   * Key of the device.
   */
  key: string;
  /**
   * Held by live tensors when it began.
   */
  allocated_before_bytes: number | null;
  /**
   * Held by live tensors when it had ended.
   */
  allocated_after_bytes: number | null;
  /**
   * Most that was held while it ran; null when the peak of an earlier cell hides it.
   */
  peak_allocated_bytes: number | null;
  /**
   * Most that was seen when the agent looked, about once a second: the peak is at least that.
   */
  seen_allocated_bytes: number | null;
  /**
   * Taken from the driver when it began.
   */
  reserved_before_bytes: number | null;
  /**
   * Taken from the driver when it had ended.
   */
  reserved_after_bytes: number | null;
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
   * When it was asked for, since the epoch.
   */
  requested_at_ms: number;
  /**
   * When it ended, since the epoch.
   */
  ended_at_ms: number;
}
/**
 * Answer of GET kernels/{id}/holders: who holds the memory of tensors.
 */
export interface Holders {
  wire_version: 1;
  /**
   * Time inside the kernel.
   */
  scan_ms: number;
  /**
   * True when a limit ended the search, so that some memory may be put down to nobody.
   */
  partial: boolean;
  /**
   * What is listed: tensors on a GPU, or those in main memory where the kernel has not used one.
   */
  memory: 'gpu' | 'host';
  /**
   * All storages that were found, each counted once; null when PyTorch is not loaded.
   */
  visible_bytes: number | null;
  /**
   * What PyTorch's allocator counts on all devices.
   */
  allocated_bytes: number | null;
  /**
   * allocated − visible: held inside C++ libraries.
   */
  invisible_bytes: number | null;
  /**
   * Largest first, from the offset asked for.
   *
   * @maxItems 200
   */
  holders: Holder[];
  /**
   * How many there are in all.
   */
  holders_count: number;
  /**
   * Largest first, one for each storage, from the offset asked for.
   *
   * @maxItems 200
   */
  tensors: HeldTensor[];
  /**
   * How many storages there are in all.
   */
  tensors_count: number;
  /**
   * What stands out and what to do, most important first.
   *
   * @maxItems 32
   */
  explanations: Explanation[];
}
/**
 * One named thing that keeps memory.
 */
export interface Holder {
  /**
   * For FreeRequest.ids and keep; the same as long as the holder stays.
   */
  id: string;
  root: Root;
  /**
   * Its name, as text to show and nothing else.
   */
  path: string;
  /**
   * The way from it to the largest storage it reaches, beginning with the name.
   */
  detail: string;
  /**
   * What most of the bytes are.
   */
  category: 'parameter' | 'gradient' | 'optimizer_state' | 'buffer' | 'graph' | 'tensor';
  /**
   * All of the bytes by what they are, largest first.
   *
   * @maxItems 6
   */
  categories: CategoryBytes[];
  /**
   * All of the bytes by where they are.
   *
   * @maxItems 64
   */
  devices: DeviceBytes[];
  /**
   * All it leads to.
   */
  reaches_bytes: number;
  /**
   * What nothing else leads to, and so comes free without it.
   */
  only_bytes: number;
  /**
   * How many storages it leads to.
   */
  tensors: number;
  /**
   * Names of other holders of the same memory, at most 8.
   *
   * @maxItems 8
   */
  shared_with: string[];
  /**
   * Whether level objects can give it up; a function cache is emptied and the function stays.
   */
  deletable: boolean;
}
/**
 * Part of what a holder reaches.
 */
export interface CategoryBytes {
  category: Category;
  bytes: Bytes;
}
/**
 * Part of what a holder reaches.
 */
export interface DeviceBytes {
  /**
   * As PyTorch in the kernel calls it: `cuda:0`; main memory is `host`.
   */
  device: string;
  bytes: Bytes;
}
/**
 * A storage, and one tensor over it.
 */
export interface HeldTensor {
  /**
   * The shortest way to it, as text.
   */
  path: string;
  root: Root;
  /**
   * Id of the holder that the path begins with; null when none is known.
   */
  holder: string | null;
  /**
   * Of the tensor; its first 16 dimensions.
   *
   * @maxItems 16
   */
  shape: number[];
  /**
   * Such as `float32`.
   */
  dtype: string;
  /**
   * As PyTorch in the kernel calls it: `cuda:0`; main memory is `host`.
   */
  device: string;
  /**
   * Of the storage, which a view keeps whole.
   */
  bytes: number;
  category: Category;
  requires_grad: boolean;
}
/**
 * Something that the page puts into a sentence; values that the code does not use are null.
 */
export interface Explanation {
  code: ExplanationCode;
  path: string | null;
  other: string | null;
  bytes: Bytes;
  count: number | null;
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
  /**
   * Level objects: give up these holders and no others, by their id; a variable has the id `variable:NAME`. Default: all that are deletable.
   *
   * @maxItems 1000
   */
  ids?: string[];
  /**
   * Level objects: leave these holders alone, by their id.
   *
   * @maxItems 1000
   */
  keep?: string[];
  /**
   * Level objects: only tell what would go, and change nothing; default false.
   */
  dry_run?: boolean;
}
/**
 * Answer of POST kernels/{id}/free: what happened, with proof.
 */
export interface FreeReport {
  wire_version: 1;
  level: Level;
  /**
   * True when nothing was changed: dropped and freed_bytes tell what would be.
   */
  dry_run: boolean;
  /**
   * Figures per device before the cleanup.
   */
  before: KernelDevice[];
  /**
   * Figures per device after it.
   */
  after: KernelDevice[];
  /**
   * A size in bytes; null when it is not known.
   */
  freed_bytes: number | null;
  /**
   * A size in bytes; null when it is not known.
   */
  freed_host_bytes: number | null;
  /**
   * A size in bytes; null when it is not known.
   */
  still_held_bytes: number | null;
  /**
   * Who holds what is left, from a second look, largest first; at most 50.
   *
   * @maxItems 50
   */
  still_held: StillHeld[];
  /**
   * A size in bytes; null when it is not known.
   */
  invisible_bytes: number | null;
  /**
   * A size in bytes; null when it is not known.
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
   * What happened and what to do, most important first.
   *
   * @maxItems 32
   */
  explanations: Explanation[];
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
 * A holder of what is left after a cleanup.
 */
export interface StillHeld {
  root: Root;
  /**
   * The way from it to the largest storage it reaches.
   */
  path: string;
  /**
   * Each storage counts for one holder only.
   */
  bytes: number;
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
  /**
   * A size in bytes; null when it is not known.
   */
  bytes: number | null;
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
 * Answer of GET kernels/{id}/cells: the last cells of the kernel's process, at most 200, the oldest first.
 */
export interface Cells {
  wire_version: 1;
  cells: Cell[];
}
/**
 * Answer of POST kernels/{id}/refresh.
 */
export interface Refreshed {
  wire_version: 1;
  /**
   * False when a cell runs or the kernel did not answer in time: then the figures are the last it told.
   */
  fresh: boolean;
  agent: Agent;
}
/**
 * Comm message of the agent: numbers, and of cells their id and the class of their error. Sent at the end of each cell, and while one runs when a figure changed.
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
  /**
   * PyTorch's allocator: native or cudaMallocAsync; null when CUDA is not started or PyTorch does not tell.
   */
  backend: string | null;
  /**
   * Whether PyTorch's segments can grow; null when it is not known.
   */
  expandable_segments: boolean | null;
  /**
   * Memory of other libraries that the user has started.
   */
  libraries: LibraryMemory[];
  /**
   * The cell that has just ended; in an answer the last cells; [] while a cell runs.
   */
  cells: AgentCell[];
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
   * UUID without prefix, lower case, or `mps` for the one GPU of a Mac; null when PyTorch is too old to tell.
   */
  uuid: string | null;
  /**
   * Bus address as in sysfs, 0000:07:00.0; null when it is not known.
   */
  pci: string | null;
  /**
   * Product name.
   */
  name: string;
  /**
   * A size in bytes; null when it is not known.
   */
  total_bytes: number | null;
  allocated_bytes: Bytes;
  reserved_bytes: Bytes;
  /**
   * A size in bytes; null when it is not known.
   */
  active_bytes: number | null;
  peak_allocated_bytes: Bytes;
  /**
   * A size in bytes; null when it is not known.
   */
  cell_peak_allocated_bytes: number | null;
  inactive_split_bytes: Bytes;
  /**
   * How often memory ran out.
   */
  num_ooms: number | null;
  /**
   * How often the cache had to be emptied to serve a request.
   */
  num_alloc_retries: number | null;
}
/**
 * A Cell as the agent tells it, devices by CUDA index and UUID.
 */
export interface AgentCell {
  cell: number;
  cell_id: string | null;
  execution_count: number | null;
  began_ms: number;
  duration_ms: number;
  error: string | null;
  out_of_memory: boolean;
  devices: AgentCellDevice[];
}
/**
 * What one cell did on one device, as the agent tells it.
 */
export interface AgentCellDevice {
  index: number;
  uuid: string | null;
  allocated_before_bytes: Bytes;
  allocated_after_bytes: Bytes;
  peak_allocated_bytes: Bytes;
  seen_allocated_bytes: Bytes;
  reserved_before_bytes: Bytes;
  reserved_after_bytes: Bytes;
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
   * @maxItems 50
   */
  still_held: StillHeld[];
  invisible_bytes: Bytes;
  /**
   * @maxItems 200
   */
  dropped: Dropped[];
  dropped_count: number;
  /**
   * @maxItems 32
   */
  explanations: Explanation[];
  steps: Step[];
  duration_ms: number;
}
/**
 * Who holds memory.
 */
export interface AgentHolders {
  kind: 'holders';
  holders: Holders;
  figures: Push;
}
/**
 * Nothing was done: `cell_running` a cell is suspended in await, `newer_cell` cells have run since the asker last heard, `not_main_thread`, `capture` a CUDA graph is being recorded, `error` see message.
 */
export interface AgentRefused {
  kind: 'refused';
  reason: 'cell_running' | 'newer_cell' | 'not_main_thread' | 'capture' | 'error';
  message: string;
}
