import { Fields } from './fields';
import { readExplanation, readStillHeld } from './holders';
import {
  readAgent,
  readFreeEnd,
  readKernel,
  readKernelDevice,
  readOperation
} from './kernel';
import {
  DEVICE_KINDS,
  DEVICE_STATES,
  ERROR_REASONS,
  LEVELS,
  PROCESS_KINDS,
  PROCESS_RELATIONS,
  PROVIDER_STATES,
  ROOTS
} from './members';
import type {
  Device,
  Dropped,
  ErrorBody,
  FreeReport,
  FreeStatus,
  Memory,
  Process,
  Provider,
  Refreshed,
  Snapshot,
  Step
} from './schema';
import { checkVersion, WIRE_VERSION } from './version';

export { WIRE_VERSION, WireVersionError } from './version';

/**
 * A snapshot, and what had to be left out of it.
 */
export interface IDecodedSnapshot {
  readonly snapshot: Snapshot;

  /**
   * One text per entry that could not be read, with its path.
   */
  readonly problems: readonly string[];
}

/**
 * Check an answer of GET snapshot; a bad device or kernel is left out, anything else wrong throws.
 */
export function decodeSnapshot(body: unknown): IDecodedSnapshot {
  const fields = new Fields(body, '');
  checkVersion(fields);
  const problems: string[] = [];
  const snapshot: Snapshot = {
    wire_version: WIRE_VERSION,
    taken_at_ms: fields.integer('taken_at_ms'),
    interval_ms: fields.integer('interval_ms'),
    providers: fields.list('providers', readProvider),
    devices: fields.goodOf('devices', readDevice, problems),
    kernels: fields.goodOf('kernels', readKernel, problems)
  };
  return { snapshot, problems };
}

/**
 * Check an answer of POST free.
 */
export function decodeFreeReport(body: unknown): FreeReport {
  return readFreeReport(new Fields(body, ''));
}

/**
 * Check an answer of GET and DELETE free, and of POST free with status 202.
 */
export function decodeFreeStatus(body: unknown): FreeStatus {
  const fields = new Fields(body, '');
  checkVersion(fields);
  return {
    wire_version: WIRE_VERSION,
    operation: fields.objectOrNull('operation', readOperation),
    last: fields.objectOrNull('last', readFreeEnd),
    report: fields.objectOrNull('report', readFreeReport),
    error: fields.objectOrNull('error', readErrorBody)
  };
}

/**
 * Check an answer of POST refresh.
 */
export function decodeRefreshed(body: unknown): Refreshed {
  const fields = new Fields(body, '');
  checkVersion(fields);
  return {
    wire_version: WIRE_VERSION,
    fresh: fields.boolean('fresh'),
    agent: fields.object('agent', readAgent)
  };
}

/**
 * Check the body of a refused request.
 */
export function decodeErrorBody(body: unknown): ErrorBody {
  return readErrorBody(new Fields(body, ''));
}

function readFreeReport(fields: Fields): FreeReport {
  checkVersion(fields);
  return {
    wire_version: WIRE_VERSION,
    level: fields.oneOf('level', LEVELS),
    dry_run: fields.boolean('dry_run'),
    before: fields.list('before', readKernelDevice),
    after: fields.list('after', readKernelDevice),
    freed_bytes: fields.bytes('freed_bytes'),
    freed_host_bytes: fields.bytes('freed_host_bytes'),
    still_held_bytes: fields.bytes('still_held_bytes'),
    still_held: fields.list('still_held', readStillHeld),
    invisible_bytes: fields.bytes('invisible_bytes'),
    context_bytes: fields.bytes('context_bytes'),
    dropped: fields.list('dropped', readDropped),
    dropped_count: fields.integer('dropped_count'),
    explanations: fields.list('explanations', readExplanation),
    steps: fields.list('steps', readStep),
    needs_restart: fields.boolean('needs_restart'),
    duration_ms: fields.integer('duration_ms')
  };
}

function readErrorBody(fields: Fields): ErrorBody {
  checkVersion(fields);
  return {
    wire_version: WIRE_VERSION,
    reason: fields.oneOf('reason', ERROR_REASONS),
    message: fields.string('message'),
    field: fields.stringOrNull('field')
  };
}

function readProvider(fields: Fields): Provider {
  return {
    name: fields.string('name'),
    state: fields.oneOf('state', PROVIDER_STATES),
    detail: fields.string('detail'),
    hint: fields.stringOrNull('hint')
  };
}

function readDevice(fields: Fields): Device {
  return {
    key: fields.string('key'),
    provider: fields.string('provider'),
    kind: fields.oneOf('kind', DEVICE_KINDS),
    index: fields.integerOrNull('index'),
    name: fields.string('name'),
    parent_key: fields.stringOrNull('parent_key'),
    state: fields.oneOf('state', DEVICE_STATES),
    stale: fields.boolean('stale'),
    age_ms: fields.integerOrNull('age_ms'),
    memory: fields.object('memory', readMemory),
    utilization_pct: fields.integerOrNull('utilization_pct'),
    temperature_c: fields.integerOrNull('temperature_c'),
    power_w: fields.numberOrNull('power_w'),
    processes: fields.listOrNull('processes', readProcess),
    other_bytes: fields.bytes('other_bytes'),
    unattributed_bytes: fields.bytes('unattributed_bytes')
  };
}

function readMemory(fields: Fields): Memory {
  return {
    total_bytes: fields.bytes('total_bytes'),
    used_bytes: fields.bytes('used_bytes'),
    reserved_bytes: fields.bytes('reserved_bytes'),
    free_bytes: fields.bytes('free_bytes'),
    used_includes_reserved: fields.boolean('used_includes_reserved')
  };
}

function readProcess(fields: Fields): Process {
  return {
    pid: fields.integer('pid'),
    used_bytes: fields.bytes('used_bytes'),
    kind: fields.oneOf('kind', PROCESS_KINDS),
    relation: fields.oneOf('relation', PROCESS_RELATIONS),
    kernel_id: fields.stringOrNull('kernel_id'),
    name: fields.stringOrNull('name')
  };
}

function readDropped(fields: Fields): Dropped {
  return {
    root: fields.oneOf('root', ROOTS),
    path: fields.string('path'),
    bytes: fields.bytes('bytes')
  };
}

function readStep(fields: Fields): Step {
  return {
    name: fields.string('name'),
    ms: fields.integer('ms'),
    error: fields.stringOrNull('error')
  };
}
