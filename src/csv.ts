import type { IPoint } from './history';

/**
 * The figures of a kernel as a table of comma-separated values, times in ISO 8601.
 */
export function pointsCsv(points: readonly IPoint[]): string {
  return table(
    ['time', 'used_bytes', 'allocated_bytes', 'reserved_bytes'],
    points.map(({ atMs, sizes }) => [new Date(atMs).toISOString(), ...sizes])
  );
}

function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[]
): string {
  return [head, ...rows]
    .map(row => `${row.map(value => value ?? '').join(',')}\n`)
    .join('');
}
