import { fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';
import { type ITrack, TimelineView } from '../../components/timeline-view';
import { pointsCsv } from '../../csv';
import { decodeCells } from '../../wire/cells';
import type { Cell } from '../../wire/schema';
import { exampleOf } from '../contract';
import { trans } from '../trans';

const GIB = 2 ** 30;
const EXAMPLE = firstCell();
const KEY = EXAMPLE.devices[0]?.key ?? '';
const TRACK: ITrack = {
  key: KEY,
  title: trans.__('GPU 0'),
  points: [
    { atMs: 0, sizes: [null, GIB, 2 * GIB] },
    { atMs: 2000, sizes: [4 * GIB, 2 * GIB, 3 * GIB] }
  ]
};

function firstCell(): Cell {
  const cell = decodeCells(exampleOf('cells')).cells.find(
    one => one.devices.length > 0
  );
  if (!cell) {
    throw new Error('the example has no cell on a device');
  }
  return cell;
}

function cell(number: number, peak: number, left: number): Cell {
  return {
    ...EXAMPLE,
    cell: number,
    cell_id: `id-${number}`,
    execution_count: number,
    error: null,
    devices: EXAMPLE.devices.map(device => ({
      ...device,
      allocated_before_bytes: 4 * GIB,
      allocated_after_bytes: (4 + left) * GIB,
      peak_allocated_bytes: peak * GIB
    }))
  };
}

describe('the timeline', () => {
  const exported: ITrack[] = [];
  const opened: Cell[] = [];

  beforeEach(() => {
    render(
      <TimelineView
        name="train.ipynb"
        tracks={[TRACK]}
        cells={[cell(1, 9, -1), cell(2, 7, 3)]}
        onExport={track => exported.push(track)}
        onOpen={one => opened.push(one)}
        trans={trans}
      />
    );
  });

  const order = (): string[] =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map(row => row.textContent?.replaceAll('\u00a0', ' ') ?? '');

  it('lists the cells by their peak, or by what they left behind', () => {
    expect(order()[0]).toMatch(/^\[1\]9\.0 GiB−1\.0 GiB/);
    fireEvent.click(screen.getByRole('button', { name: 'Left behind' }));
    expect(order()[0]).toMatch(/^\[2\]7\.0 GiB\+3\.0 GiB/);
  });

  it('goes to a cell', () => {
    fireEvent.click(screen.getByRole('button', { name: 'Go to cell [2]' }));
    expect(opened.map(one => one.cell_id)).toEqual(['id-2']);
  });

  it('exports the curves', () => {
    fireEvent.click(
      screen.getByRole('button', { name: 'Export GPU 0 as CSV' })
    );
    expect(exported).toEqual([TRACK]);
    expect(pointsCsv(TRACK.points)).toBe(
      'time,used_bytes,allocated_bytes,reserved_bytes\n' +
        '1970-01-01T00:00:00.000Z,,1073741824,2147483648\n' +
        '1970-01-01T00:00:02.000Z,4294967296,2147483648,3221225472\n'
    );
  });

  it('says the newest figures, and in a sentence what the picture shows', () => {
    expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(
      /at most 4\.0\sGiB/
    );
    expect(screen.getByText(/tensors 2\.0\sGiB/)).toBeTruthy();
  });
});
