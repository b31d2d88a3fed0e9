import { Fields } from './fields';
import type { Cell, CellDevice, Cells } from './schema';
import { checkVersion, WIRE_VERSION } from './version';

/**
 * Check an answer of GET cells.
 */
export function decodeCells(body: unknown): Cells {
  const fields = new Fields(body, '');
  checkVersion(fields);
  return {
    wire_version: WIRE_VERSION,
    cells: fields.list('cells', readCell)
  };
}

/**
 * Read what one cell did.
 */
export function readCell(fields: Fields): Cell {
  return {
    cell: fields.integer('cell'),
    cell_id: fields.stringOrNull('cell_id'),
    execution_count: fields.integerOrNull('execution_count'),
    began_ms: fields.integer('began_ms'),
    duration_ms: fields.integer('duration_ms'),
    error: fields.stringOrNull('error'),
    out_of_memory: fields.boolean('out_of_memory'),
    devices: fields.list('devices', readCellDevice)
  };
}

function readCellDevice(fields: Fields): CellDevice {
  return {
    key: fields.string('key'),
    allocated_before_bytes: fields.bytes('allocated_before_bytes'),
    allocated_after_bytes: fields.bytes('allocated_after_bytes'),
    peak_allocated_bytes: fields.bytes('peak_allocated_bytes'),
    seen_allocated_bytes: fields.bytes('seen_allocated_bytes'),
    reserved_before_bytes: fields.bytes('reserved_before_bytes'),
    reserved_after_bytes: fields.bytes('reserved_after_bytes')
  };
}
