import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { cellRows } from '../cell-rows';
import type { IPoint } from '../history';
import type { Cell } from '../wire/schema';
import { CellsTable } from './cells-table';
import { TimelineChart } from './timeline-chart';

/**
 * The figures of a kernel on one device.
 */
export interface ITrack {
  readonly key: string;
  readonly title: string;
  readonly points: readonly IPoint[];
}

interface IProps {
  name: string;
  tracks: readonly ITrack[];
  cells: readonly Cell[];
  onExport: (track: ITrack) => void;
  onOpen: (cell: Cell) => void;
  trans: TranslationBundle;
}

/**
 * Memory of one kernel over time, device by device, and what each of its cells did.
 */
export function TimelineView(props: IProps): React.ReactElement {
  const { name, tracks, cells, onExport, onOpen, trans } = props;
  return (
    <div className="jp-GpuMem-diagnostics">
      <h1>{trans.__('GPU memory over time: %1', name)}</h1>
      {tracks.length === 0 && (
        <p>
          {trans.__(
            'There are no figures of this kernel yet. They come when it has used a GPU.'
          )}
        </p>
      )}
      {tracks.map(track => (
        <section key={track.key} aria-label={track.title}>
          <div className="jp-GpuMem-row">
            <h2 className="jp-GpuMem-name">{track.title}</h2>
            <button
              type="button"
              className="jp-GpuMem-button"
              aria-label={trans.__('Export %1 as CSV', track.title)}
              onClick={() => onExport(track)}
            >
              {trans.__('Export CSV')}
            </button>
          </div>
          <TimelineChart points={track.points} cells={cells} trans={trans} />
          <CellsTable
            rows={cellRows(cells, track.key)}
            onOpen={onOpen}
            trans={trans}
          />
        </section>
      ))}
    </div>
  );
}
