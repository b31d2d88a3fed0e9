import type {
  AgentState,
  Category,
  CheckState,
  DeviceKind,
  DeviceState,
  ErrorReason,
  ExplanationCode,
  FreeEnd,
  Holders,
  Level,
  LibraryName,
  Operation,
  ProcessKind,
  ProcessRelation,
  ProviderState,
  Root,
  UsedSource
} from './schema';

/**
 * All members of a string enumeration, so that a missing or an unknown one does not compile.
 */
export type Members<T extends string> = Readonly<Record<T, true>>;

export const LEVELS: Members<Level> = {
  cache: true,
  objects: true,
  reset: true
};

export const PROVIDER_STATES: Members<ProviderState> = {
  starting: true,
  ok: true,
  no_library: true,
  no_driver: true,
  version_mismatch: true,
  no_permission: true,
  no_devices: true,
  old_binding: true,
  hung: true,
  error: true,
  asleep: true,
  off: true
};

export const DEVICE_KINDS: Members<DeviceKind> = {
  dedicated: true,
  unified: true,
  mig: true,
  vgpu: true,
  host: true,
  simulated: true
};

export const DEVICE_STATES: Members<DeviceState> = {
  ok: true,
  partial: true,
  lost: true,
  reset_required: true,
  no_permission: true,
  asleep: true,
  error: true
};

export const PROCESS_KINDS: Members<ProcessKind> = {
  compute: true,
  graphics: true,
  both: true,
  mps: true,
  host: true
};

export const PROCESS_RELATIONS: Members<ProcessRelation> = {
  kernel: true,
  child: true,
  orphan: true,
  other: true,
  unknown: true
};

export const USED_SOURCES: Members<UsedSource> = { driver: true, kernel: true };

export const AGENT_STATES: Members<AgentState> = {
  waiting: true,
  attached: true,
  unsupported: true,
  off: true,
  failed: true
};

export const CHECK_STATES: Members<CheckState> = {
  ok: true,
  info: true,
  warning: true,
  error: true
};

export const OPERATION_STATES: Members<Operation['state']> = {
  waiting: true,
  interrupting: true,
  running: true
};

export const LIBRARIES: Members<LibraryName> = {
  cupy: true,
  jax: true,
  tensorflow: true,
  xpu: true
};

export const OUTCOMES: Members<FreeEnd['outcome']> = {
  freed: true,
  failed: true,
  cancelled: true
};

export const ROOTS: Members<Root> = {
  variable: true,
  output: true,
  exception: true,
  figure: true,
  widget: true,
  script: true,
  store: true,
  debugger: true,
  function_cache: true,
  hook: true,
  thread: true,
  task: true,
  module: true,
  garbage: true,
  unknown: true
};

export const CATEGORIES: Members<Category> = {
  parameter: true,
  gradient: true,
  optimizer_state: true,
  buffer: true,
  graph: true,
  tensor: true
};

export const MEMORY_KINDS: Members<Holders['memory']> = {
  gpu: true,
  host: true
};

export const EXPLANATION_CODES: Members<ExplanationCode> = {
  exception: true,
  outputs: true,
  graph_kept: true,
  graph_on_output: true,
  optimizer: true,
  second_name: true,
  view: true,
  function_cache: true,
  module: true,
  thread: true,
  suspended: true,
  hook: true,
  hook_refers: true,
  garbage: true,
  workers: true,
  cached: true,
  in_use: true,
  fragmentation: true,
  context: true,
  broken: true
};

export const ERROR_REASONS: Members<ErrorReason> = {
  bad_request: true,
  unknown_kernel: true,
  busy: true,
  still_busy: true,
  in_progress: true,
  nothing_waits: true,
  no_agent: true,
  refused: true,
  kernel_failed: true,
  timeout: true
};
