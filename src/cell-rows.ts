import type { Cell } from './wire/schema';

/**
 * What a cell did on one device.
 */
export interface ICellRow {
  readonly cell: Cell;
  readonly peakBytes: number | null;
  readonly leftBytes: number | null;
}

/**
 * What the cells of a kernel did on one device, those that did not touch it left out.
 */
export function cellRows(cells: readonly Cell[], key: string): ICellRow[] {
  return cells.flatMap(cell => {
    const figures = cell.devices.find(device => device.key === key);
    if (!figures) {
      return [];
    }
    const before = figures.allocated_before_bytes;
    const after = figures.allocated_after_bytes;
    const leftBytes = before === null || after === null ? null : after - before;
    const peakBytes =
      figures.peak_allocated_bytes ?? figures.seen_allocated_bytes;
    return [{ cell, peakBytes, leftBytes }];
  });
}
