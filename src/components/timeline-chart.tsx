import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { formatBytes, formatClock } from '../format';
import type { IPoint } from '../history';
import { segmentsOf } from '../segments';
import type { Cell } from '../wire/schema';

const WIDTH = 800;
const HEIGHT = 220;
const HEADROOM = 1.1;

/** Places of the sizes in a point of a kernel, from the back to the front. */
const CURVES = [
  { name: 'used', place: 0 },
  { name: 'reserved', place: 2 },
  { name: 'allocated', place: 1 }
] as const;

interface IProps {
  points: readonly IPoint[];
  cells: readonly Cell[];
  trans: TranslationBundle;
}

interface IScale {
  readonly x: (atMs: number) => number;
  readonly y: (bytes: number) => number;
}

/**
 * Memory of a kernel over time, its cells as bands behind the curves.
 */
export function TimelineChart(props: IProps): React.ReactElement {
  const { points, trans } = props;
  const [pointed, point] = React.useState<IPoint | null>(null);
  const scale = scaleOf(points);
  return (
    <>
      <svg
        className="jp-GpuMem-chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={trans.__(
          'Memory over time, at most %1; the table below has the figures of each cell.',
          formatBytes(highestOf(points), trans)
        )}
        onMouseMove={event => point(nearest(event, points))}
        onMouseLeave={() => point(null)}
      >
        <Bands {...props} scale={scale} />
        {CURVES.map(curve => (
          <Curve key={curve.name} curve={curve} points={points} scale={scale} />
        ))}
        {pointed && (
          <line
            className="jp-GpuMem-pointer"
            x1={scale.x(pointed.atMs)}
            x2={scale.x(pointed.atMs)}
            y1={0}
            y2={HEIGHT}
          />
        )}
      </svg>
      <Reading point={pointed ?? points.at(-1) ?? null} trans={trans} />
    </>
  );
}

function Bands(props: IProps & { scale: IScale }): React.ReactElement {
  const { points, cells, scale } = props;
  const beginMs = points[0]?.atMs ?? 0;
  return (
    <>
      {cells
        .filter(cell => cell.began_ms + cell.duration_ms >= beginMs)
        .map(cell => {
          const left = Math.max(0, scale.x(cell.began_ms));
          const right = scale.x(cell.began_ms + cell.duration_ms);
          return (
            <rect
              key={cell.cell}
              className="jp-GpuMem-cell"
              data-failed={cell.error !== null || undefined}
              x={left}
              width={Math.max(1, right - left)}
              y={0}
              height={HEIGHT}
            />
          );
        })}
    </>
  );
}

function Curve(props: {
  curve: (typeof CURVES)[number];
  points: readonly IPoint[];
  scale: IScale;
}): React.ReactElement {
  const { curve, points, scale } = props;
  const sizes = points.map(({ atMs, sizes }) => ({
    atMs,
    sizes: [sizes[curve.place] ?? null]
  }));
  return (
    <>
      {segmentsOf(sizes).map(segment => (
        <polyline
          key={segment[0]?.atMs}
          className="jp-GpuMem-curve"
          data-curve={curve.name}
          points={segment
            .map(
              ({ atMs, sizes }) => `${scale.x(atMs)},${scale.y(sizes[0] ?? 0)}`
            )
            .join(' ')}
        />
      ))}
    </>
  );
}

function Reading(props: {
  point: IPoint | null;
  trans: TranslationBundle;
}): React.ReactElement | null {
  const { point, trans } = props;
  if (!point) {
    return null;
  }
  const [used, allocated, reserved] = point.sizes.map(size =>
    formatBytes(size, trans)
  );
  const entries = [
    ['allocated', trans.__('tensors %1', allocated)],
    ['reserved', trans.__('with cache %1', reserved)],
    ['used', trans.__('used in all %1', used)]
  ] as const;
  return (
    <p className="jp-GpuMem-reading">
      <span>{formatClock(point.atMs)}</span>
      {entries.map(([name, text]) => (
        <span key={name} className="jp-GpuMem-key" data-curve={name}>
          {text}
        </span>
      ))}
    </p>
  );
}

function scaleOf(points: readonly IPoint[]): IScale {
  const beginMs = points[0]?.atMs ?? 0;
  const spanMs = Math.max(1, (points.at(-1)?.atMs ?? 0) - beginMs);
  const top = Math.max(1, HEADROOM * highestOf(points));
  return {
    x: atMs => Math.round((WIDTH * 10 * (atMs - beginMs)) / spanMs) / 10,
    y: bytes => Math.round(10 * HEIGHT * (1 - bytes / top)) / 10
  };
}

function highestOf(points: readonly IPoint[]): number {
  return points.reduce(
    (highest, { sizes }) =>
      sizes.reduce<number>((most, size) => Math.max(most, size ?? 0), highest),
    0
  );
}

function nearest(
  event: React.MouseEvent<SVGSVGElement>,
  points: readonly IPoint[]
): IPoint | null {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const beginMs = points[0]?.atMs ?? 0;
  const spanMs = (points.at(-1)?.atMs ?? 0) - beginMs;
  const atMs = beginMs + (spanMs * (event.clientX - left)) / width;
  return points.reduce<IPoint | null>(
    (best, one) =>
      best && Math.abs(best.atMs - atMs) <= Math.abs(one.atMs - atMs)
        ? best
        : one,
    null
  );
}
