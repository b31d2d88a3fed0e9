import { cleanup, render, screen } from '@testing-library/react';
import * as React from 'react';
import { ProcessesRow } from '../../components/processes-row';
import type { Process } from '../../wire/schema';
import { snapshotOf } from '../contract';
import { trans } from '../trans';

function processOf(
  pid: number,
  relation: Process['relation'],
  name: string | null
): Process {
  return {
    pid,
    relation,
    name,
    used_bytes: 2 ** 30,
    kind: 'compute',
    kernel_id: null
  };
}

function textOf(processes: Process[], other_bytes: number): string {
  const devices = snapshotOf('two-gpus')
    .snapshot.devices.slice(0, 1)
    .map(device => ({ ...device, processes, other_bytes }));
  render(
    <ul>
      <ProcessesRow devices={devices} trans={trans} />
    </ul>
  );
  return (screen.getByRole('list').textContent ?? '').replaceAll('\u00a0', ' ');
}

describe('other processes', () => {
  afterEach(cleanup);

  it('that a kernel has left behind are called so', () => {
    const text = textOf([processOf(7, 'orphan', 'python')], 2 ** 30);
    expect(text).toContain('python (7), left behind by a kernel');
  });

  it('are told apart by name, user, and what a container cannot tell', () => {
    const text = textOf(
      [
        processOf(1, 'other', 'Xorg'),
        processOf(2, 'other', null),
        processOf(3, 'unknown', null)
      ],
      3 * 2 ** 30
    );
    expect(text).toBe(
      'other processes3.0 GiBXorg (1), 1 of another user, 1 that this container cannot identify, perhaps a kernel'
    );
  });

  it('are a sum alone where the server hides them', () => {
    expect(textOf([], 2 ** 31)).toBe('other processes2.0 GiB');
  });

  it('that hold nothing are not mentioned', () => {
    expect(textOf([], 0)).toBe('');
  });
});
