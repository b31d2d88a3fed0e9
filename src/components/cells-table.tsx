import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { ICellRow } from '../cell-rows';
import { formatBytes, formatDuration } from '../format';
import type { Cell } from '../wire/schema';

type Sort = 'cell' | 'peak' | 'left';

interface IProps {
  rows: readonly ICellRow[];
  onOpen: (cell: Cell) => void;
  trans: TranslationBundle;
}

/**
 * What each cell did to the memory; the number leads to the cell.
 */
export function CellsTable(props: IProps): React.ReactElement {
  const { rows, onOpen, trans } = props;
  const [sort, setSort] = React.useState<Sort>('peak');
  const head = (name: Sort, text: string) => (
    <th aria-sort={sort === name ? 'descending' : 'none'}>
      <button type="button" onClick={() => setSort(name)}>
        {text}
        {sort === name && <span aria-hidden="true"> ▾</span>}
      </button>
    </th>
  );
  return (
    <table className="jp-GpuMem-cells" aria-label={trans.__('Cells')}>
      <thead>
        <tr>
          {head('cell', trans.__('Cell'))}
          {head('peak', trans.__('Peak'))}
          {head('left', trans.__('Left behind'))}
          <th>{trans.__('Took')}</th>
          <th>{trans.__('Ended with')}</th>
        </tr>
      </thead>
      <tbody>
        {sorted(rows, sort).map(row => (
          <Row key={row.cell.cell} row={row} onOpen={onOpen} trans={trans} />
        ))}
      </tbody>
    </table>
  );
}

function Row(props: {
  row: ICellRow;
  onOpen: (cell: Cell) => void;
  trans: TranslationBundle;
}): React.ReactElement {
  const { row, onOpen, trans } = props;
  const { cell, peakBytes, leftBytes } = row;
  const name = `[${cell.execution_count ?? ' '}]`;
  return (
    <tr>
      <td>
        {cell.cell_id === null ? (
          name
        ) : (
          <button
            type="button"
            className="jp-GpuMem-link"
            aria-label={trans.__('Go to cell %1', name)}
            onClick={() => onOpen(cell)}
          >
            {name}
          </button>
        )}
      </td>
      <td>{formatBytes(peakBytes, trans)}</td>
      <td>{signed(leftBytes, trans)}</td>
      <td>{formatDuration(cell.duration_ms, trans)}</td>
      <td>{cell.error ?? ''}</td>
    </tr>
  );
}

function sorted(rows: readonly ICellRow[], sort: Sort): ICellRow[] {
  const weight = (row: ICellRow): number => {
    switch (sort) {
      case 'cell':
        return row.cell.cell;
      case 'peak':
        return row.peakBytes ?? -1;
      case 'left':
        return row.leftBytes ?? -Infinity;
    }
  };
  return [...rows].sort((a, b) => weight(b) - weight(a));
}

function signed(bytes: number | null, trans: TranslationBundle): string {
  if (bytes === null || bytes === 0) {
    return formatBytes(bytes, trans);
  }
  return `${bytes > 0 ? '+' : '−'}${formatBytes(Math.abs(bytes), trans)}`;
}
