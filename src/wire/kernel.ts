import { readCell } from './cells';
import type { Fields } from './fields';
import {
  AGENT_STATES,
  LEVELS,
  LIBRARIES,
  OPERATION_STATES,
  OUTCOMES,
  USED_SOURCES
} from './members';
import type {
  Agent,
  FreeEnd,
  Kernel,
  KernelDevice,
  LibraryMemory,
  Operation
} from './schema';

/**
 * Read one kernel.
 */
export function readKernel(fields: Fields): Kernel {
  return {
    id: fields.string('id'),
    name: fields.string('name'),
    display_name: fields.stringOrNull('display_name'),
    path: fields.stringOrNull('path'),
    document_name: fields.stringOrNull('document_name'),
    document_type: fields.stringOrNull('document_type'),
    execution_state: fields.string('execution_state'),
    last_activity_ms: fields.integerOrNull('last_activity_ms'),
    pid: fields.integerOrNull('pid'),
    agent: fields.object('agent', readAgent),
    devices: fields.list('devices', readKernelDevice),
    allocator_backend: fields.stringOrNull('allocator_backend'),
    expandable_segments: fields.booleanOrNull('expandable_segments'),
    libraries: fields.list('libraries', readLibrary),
    last_cell: fields.objectOrNull('last_cell', readCell),
    operation: fields.objectOrNull('operation', readOperation),
    last_free: fields.objectOrNull('last_free', readFreeEnd)
  };
}

/**
 * Read one account of our agent.
 */
export function readAgent(fields: Fields): Agent {
  return {
    state: fields.oneOf('state', AGENT_STATES),
    reason: fields.stringOrNull('reason'),
    sampled_at_ms: fields.integerOrNull('sampled_at_ms')
  };
}

/**
 * Read one kernel's memory on one device.
 */
export function readKernelDevice(fields: Fields): KernelDevice {
  return {
    key: fields.string('key'),
    used_bytes: fields.bytes('used_bytes'),
    used_source: fields.oneOfOrNull('used_source', USED_SOURCES),
    allocated_bytes: fields.bytes('allocated_bytes'),
    reserved_bytes: fields.bytes('reserved_bytes'),
    active_bytes: fields.bytes('active_bytes'),
    peak_allocated_bytes: fields.bytes('peak_allocated_bytes'),
    cell_peak_allocated_bytes: fields.bytes('cell_peak_allocated_bytes'),
    inactive_split_bytes: fields.bytes('inactive_split_bytes'),
    num_ooms: fields.integerOrNull('num_ooms'),
    num_alloc_retries: fields.integerOrNull('num_alloc_retries'),
    context_bytes: fields.bytes('context_bytes')
  };
}

/**
 * Read one cleanup under way.
 */
export function readOperation(fields: Fields): Operation {
  return {
    id: fields.string('id'),
    level: fields.oneOf('level', LEVELS),
    state: fields.oneOf('state', OPERATION_STATES),
    requested_at_ms: fields.integer('requested_at_ms')
  };
}

/**
 * Read one end of a cleanup.
 */
export function readFreeEnd(fields: Fields): FreeEnd {
  return {
    id: fields.string('id'),
    level: fields.oneOf('level', LEVELS),
    outcome: fields.oneOf('outcome', OUTCOMES),
    requested_at_ms: fields.integer('requested_at_ms'),
    ended_at_ms: fields.integer('ended_at_ms')
  };
}

function readLibrary(fields: Fields): LibraryMemory {
  return {
    library: fields.oneOf('library', LIBRARIES),
    device: fields.string('device'),
    used_bytes: fields.bytes('used_bytes'),
    reserved_bytes: fields.bytes('reserved_bytes'),
    peak_bytes: fields.bytes('peak_bytes')
  };
}
