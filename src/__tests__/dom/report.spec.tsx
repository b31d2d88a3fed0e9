import { fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';
import { KernelHints } from '../../components/kernel-hints';
import { ObjectsList, type IObjectTicks } from '../../components/objects-list';
import { ReportView } from '../../components/report-view';
import { CommandIDs } from '../../tokens';
import { decodeFreeReport } from '../../wire/decode';
import { decodeHolders } from '../../wire/holders';
import type { FreeReport, Kernel } from '../../wire/schema';
import { reportResult } from '../../words/report';
import { exampleOf, snapshotOf } from '../contract';
import { TARGET } from '../fake-freeing';
import { trans } from '../trans';
import { FakeActions } from './fake-actions';

const REPORT = decodeFreeReport(exampleOf('free-report-reset'));
const HELD = {
  root: 'module',
  path: 'module mylib.CACHE[1]',
  bytes: 107374182
} as const;

const said = (): string =>
  document.body.textContent?.replaceAll('\u00a0', ' ') ?? '';

describe('the report', () => {
  const show = (changed: Partial<FreeReport> = {}): FakeActions => {
    const actions = new FakeActions();
    const report = { ...REPORT, ...changed };
    render(
      <ReportView
        result={reportResult(report, TARGET, trans)}
        actions={actions}
        trans={trans}
      />
    );
    return actions;
  };

  it('says what came free, before and after', () => {
    show();
    expect(said()).toContain('Freed 13.6 GiB from train.ipynb.');
    expect(said()).toMatch(/before14\.\d GiB/);
    expect(said()).toMatch(/after\d+ MiB/);
  });

  it('names who holds the rest, and leads to it', () => {
    const actions = show({ still_held: [HELD] });
    expect(screen.getByText('module mylib.CACHE[1]')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Show' }));
    expect(actions.ran).toEqual([`show ${TARGET.kernelId}`]);
  });

  it('offers the restart when CUDA is broken, and only then', () => {
    show();
    expect(screen.queryByRole('button', { name: /Restart/ })).toBeNull();
    const actions = show({ needs_restart: true });
    fireEvent.click(screen.getByRole('button', { name: 'Restart kernel…' }));
    expect(actions.ran).toEqual([`${CommandIDs.restart} ${TARGET.kernelId}`]);
  });

  it('tells what was dropped, folded away', () => {
    show();
    expect(screen.getByText(/things? (was|were) dropped/)).toBeTruthy();
  });
});

describe('the list of GPU objects', () => {
  const holders = decodeHolders(exampleOf('holders'));

  it('has a check box for each that can be dropped, and counts what comes free', () => {
    let ticks: IObjectTicks | null = null;
    render(
      <ObjectsList
        kernelName="Python 3"
        holders={holders}
        onTick={changed => {
          ticks = changed;
        }}
        trans={trans}
      />
    );
    expect(screen.getAllByRole('checkbox')).toHaveLength(3);
    expect(said()).toContain('11.8 GiB come free');
    fireEvent.click(screen.getByRole('checkbox', { name: /opt/ }));
    expect(said()).toContain('At least 6.1 GiB come free');
    expect(ticks).toEqual({ keep: ['variable:opt'], dontAsk: false });
  });
});

describe('the hints of a kernel', () => {
  const show = (changed: Partial<Kernel>, idle: string | null = null) => {
    const [kernel] = snapshotOf('two-gpus').snapshot.kernels;
    if (!kernel) {
      throw new Error('the example has no kernel');
    }
    const actions = new FakeActions();
    render(
      <KernelHints
        kernel={{ ...kernel, last_free: null, ...changed }}
        idle={idle}
        actions={actions}
        trans={trans}
      />
    );
    return actions;
  };
  const OUT = {
    cell: 1,
    cell_id: null,
    execution_count: 12,
    began_ms: 1000,
    duration_ms: 500,
    error: 'OutOfMemoryError',
    out_of_memory: true,
    devices: []
  };

  it('say that a cleanup waits, and call it off', () => {
    const actions = show({
      operation: {
        id: 'op',
        level: 'reset',
        state: 'waiting',
        requested_at_ms: 0
      }
    });
    expect(said()).toContain('Is reset when the running cell has ended.');
    fireEvent.click(screen.getByRole('button', { name: /^Cancel freeing/ }));
    expect(actions.ran[0]).toContain(CommandIDs.cancelFree);
  });

  it('say that a cell ran out of memory, until it has been freed', () => {
    const actions = show({ last_cell: OUT, operation: null });
    expect(said()).toContain('Cell 12 ran out of memory.');
    fireEvent.click(screen.getByRole('button', { name: /^Show what holds/ }));
    fireEvent.click(screen.getByRole('button', { name: /^Free GPU objects/ }));
    expect(actions.ran[0]).toContain('show ');
    expect(actions.ran[1]).toContain(CommandIDs.freeObjects);
  });

  it('forget that when the memory has been given back since', () => {
    show({
      last_cell: OUT,
      operation: null,
      last_free: {
        id: 'op',
        level: 'objects',
        outcome: 'freed',
        requested_at_ms: 1600,
        ended_at_ms: 2000
      }
    });
    expect(said()).toBe('');
  });
});
