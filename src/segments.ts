import type { IPoint } from './history';

/** Points further apart than this were not watched in between. */
const GAP_MS = 45_000;

/**
 * The points in runs without a gap: a line over an unwatched time would be invented.
 */
export function segmentsOf(points: readonly IPoint[]): IPoint[][] {
  const segments: IPoint[][] = [];
  let lastMs = -Infinity;
  for (const point of points) {
    if (point.sizes[0] === null) {
      lastMs = -Infinity;
      continue;
    }
    if (point.atMs - lastMs > GAP_MS) {
      segments.push([]);
    }
    segments.at(-1)?.push(point);
    lastMs = point.atMs;
  }
  return segments;
}
