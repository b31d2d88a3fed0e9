import { Fields } from './fields';
import type { DeviceSeries, History, KernelSeries } from './schema';
import { checkVersion, WIRE_VERSION } from './version';

/**
 * Check an answer of GET history.
 */
export function decodeHistory(body: unknown): History {
  const fields = new Fields(body, '');
  checkVersion(fields);
  return {
    wire_version: WIRE_VERSION,
    taken_at_ms: fields.integer('taken_at_ms'),
    interval_ms: fields.integer('interval_ms'),
    devices: fields.list('devices', readDeviceSeries),
    kernels: fields.list('kernels', readKernelSeries)
  };
}

function readDeviceSeries(fields: Fields): DeviceSeries {
  return { key: fields.string('key'), points: fields.points('points', 2) };
}

function readKernelSeries(fields: Fields): KernelSeries {
  return {
    id: fields.string('id'),
    key: fields.string('key'),
    points: fields.points('points', 4)
  };
}
