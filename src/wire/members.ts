import type {
  AgentState,
  CheckState,
  DeviceKind,
  DeviceState,
  ErrorReason,
  FreeEnd,
  Level,
  Operation,
  ProcessKind,
  ProviderState,
  Root
} from './schema';

/**
 * All members of a string enumeration, so that a missing or an unknown one does not compile.
 */
export type Members<T extends string> = Readonly<Record<T, true>>;

export const LEVELS: Members<Level> = { cache: true, reset: true };

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
  widget: true
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
