import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { formatBytes } from '../format';
import type { IPoint, ISpan } from '../history';
import { segmentsOf } from '../segments';

/** The time it shows. */
const SHOWN_MS = 10 * 60_000;
const WIDTH = 300;
const HEIGHT = 34;

interface IProps {
  points: readonly IPoint[];
  /** When cells of the current kernel ran. */
  cells: readonly ISpan[];
  totalBytes: number;
  trans: TranslationBundle;
}

/**
 * Used memory of a device in the last minutes, against its limit. Its place is there before its figures are.
 */
export const Sparkline = React.memo(function Sparkline(
  props: IProps
): React.ReactElement {
  const { points, cells, totalBytes, trans } = props;
  const endMs = points.at(-1)?.atMs ?? 0;
  const shown = points.filter(point => point.atMs >= endMs - SHOWN_MS);
  return (
    <svg
      className="jp-GpuMem-spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={sentence(shown, trans)}
    >
      <Cells cells={cells} endMs={endMs} />
      <line className="jp-GpuMem-limit" x1={0} x2={WIDTH} y1={1} y2={1} />
      {segmentsOf(shown).map(segment => (
        <polyline
          key={segment[0]?.atMs}
          className="jp-GpuMem-curve"
          points={segment
            .map(point => place(point, endMs, totalBytes))
            .join(' ')}
        />
      ))}
    </svg>
  );
});

function Cells(props: {
  cells: readonly ISpan[];
  endMs: number;
}): React.ReactElement {
  const { cells, endMs } = props;
  const shown = cells.filter(cell => cell.endedMs > endMs - SHOWN_MS);
  return (
    <>
      {shown.map(({ beganMs, endedMs }) => {
        const left = Math.max(0, across(beganMs, endMs));
        const width = Math.max(1, across(endedMs, endMs) - left);
        return (
          <rect
            key={beganMs}
            className="jp-GpuMem-cell"
            x={left}
            width={width}
            y={0}
            height={HEIGHT}
          />
        );
      })}
    </>
  );
}

function place(point: IPoint, endMs: number, totalBytes: number): string {
  const x = across(point.atMs, endMs);
  const share = Math.min(1, usedOf(point) / totalBytes);
  const y = HEIGHT - 1 - share * (HEIGHT - 2);
  return `${x.toFixed(1)},${y.toFixed(1)}`;
}

function across(atMs: number, endMs: number): number {
  return WIDTH * (1 - (endMs - atMs) / SHOWN_MS);
}

function usedOf(point: IPoint): number {
  return point.sizes[0] ?? 0;
}

function sentence(points: readonly IPoint[], trans: TranslationBundle): string {
  const known = points.filter(point => point.sizes[0] !== null).map(usedOf);
  if (known.length === 0) {
    return trans.__('Last 10 minutes: no figures yet.');
  }
  return trans.__(
    'Last 10 minutes: between %1 and %2.',
    formatBytes(Math.min(...known), trans),
    formatBytes(Math.max(...known), trans)
  );
}
