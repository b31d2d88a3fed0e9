import { Fields } from './fields';
import { CATEGORIES, EXPLANATION_CODES, MEMORY_KINDS, ROOTS } from './members';
import type {
  CategoryBytes,
  DeviceBytes,
  Explanation,
  HeldTensor,
  Holder,
  Holders,
  StillHeld
} from './schema';
import { checkVersion, WIRE_VERSION } from './version';

/**
 * Check an answer of GET holders.
 */
export function decodeHolders(body: unknown): Holders {
  const fields = new Fields(body, '');
  checkVersion(fields);
  return {
    wire_version: WIRE_VERSION,
    scan_ms: fields.integer('scan_ms'),
    partial: fields.boolean('partial'),
    memory: fields.oneOf('memory', MEMORY_KINDS),
    visible_bytes: fields.bytes('visible_bytes'),
    allocated_bytes: fields.bytes('allocated_bytes'),
    invisible_bytes: fields.bytes('invisible_bytes'),
    holders: fields.list('holders', readHolder),
    holders_count: fields.integer('holders_count'),
    tensors: fields.list('tensors', readTensor),
    tensors_count: fields.integer('tensors_count'),
    explanations: fields.list('explanations', readExplanation)
  };
}

/**
 * Read one thing that stands out.
 */
export function readExplanation(fields: Fields): Explanation {
  return {
    code: fields.oneOf('code', EXPLANATION_CODES),
    path: fields.stringOrNull('path'),
    other: fields.stringOrNull('other'),
    bytes: fields.bytes('bytes'),
    count: fields.integerOrNull('count')
  };
}

/**
 * Read a holder of what a cleanup has left.
 */
export function readStillHeld(fields: Fields): StillHeld {
  return {
    root: fields.oneOf('root', ROOTS),
    path: fields.string('path'),
    bytes: fields.integer('bytes')
  };
}

function readHolder(fields: Fields): Holder {
  return {
    id: fields.string('id'),
    root: fields.oneOf('root', ROOTS),
    path: fields.string('path'),
    detail: fields.string('detail'),
    category: fields.oneOf('category', CATEGORIES),
    categories: fields.list('categories', readCategoryBytes),
    devices: fields.list('devices', readDeviceBytes),
    reaches_bytes: fields.integer('reaches_bytes'),
    only_bytes: fields.integer('only_bytes'),
    tensors: fields.integer('tensors'),
    shared_with: fields.strings('shared_with'),
    deletable: fields.boolean('deletable')
  };
}

function readTensor(fields: Fields): HeldTensor {
  return {
    path: fields.string('path'),
    root: fields.oneOf('root', ROOTS),
    holder: fields.stringOrNull('holder'),
    shape: fields.integers('shape'),
    dtype: fields.string('dtype'),
    device: fields.string('device'),
    bytes: fields.integer('bytes'),
    category: fields.oneOf('category', CATEGORIES),
    requires_grad: fields.boolean('requires_grad')
  };
}

function readCategoryBytes(fields: Fields): CategoryBytes {
  return {
    category: fields.oneOf('category', CATEGORIES),
    bytes: fields.bytes('bytes')
  };
}

function readDeviceBytes(fields: Fields): DeviceBytes {
  return { device: fields.string('device'), bytes: fields.bytes('bytes') };
}
