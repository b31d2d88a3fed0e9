import {
  cleanup,
  fireEvent,
  render,
  screen,
  within
} from '@testing-library/react';
import * as React from 'react';
import { DeviceCard } from '../../components/device-card';
import { PanelView } from '../../components/panel-view';
import { ResetText } from '../../components/reset-text';
import { StatusItem } from '../../components/status-item';
import type { GpuMemModel } from '../../model';
import { DEFAULTS } from '../../preferences';
import { CommandIDs } from '../../tokens';
import { snapshotOf } from '../contract';
import { TARGET } from '../fake-freeing';
import { trans } from '../trans';
import { FakeActions } from './fake-actions';

const CURRENT = '3f2b8c1e-1111-4a4a-8c8c-000000000001';

function show(
  state: GpuMemModel.State,
  result: GpuMemModel.IResult | null = null
): FakeActions {
  const actions = new FakeActions();
  render(
    <PanelView
      state={state}
      result={result}
      currentId={CURRENT}
      history={{ device: () => [], cells: () => [] }}
      holders={{ of: () => ({ kind: 'closed' }) }}
      preferences={DEFAULTS}
      actions={actions}
      trans={trans}
    />
  );
  return actions;
}

function showExample(name: string): FakeActions {
  return show({ kind: 'ready', decoded: snapshotOf(name) });
}

describe('the panel', () => {
  it('says that it loads', () => {
    show({ kind: 'loading' });
    expect(screen.getByText('Loading figures…')).toBeTruthy();
  });

  it('shows a card per device and a row per kernel, the current one first', () => {
    showExample('two-gpus');
    expect(
      screen.getAllByRole('heading', { level: 3 }).map(one => one.textContent)
    ).toEqual(['GPU 0 · NVIDIA RTX 4090', 'GPU 1 · NVIDIA RTX 4090']);
    const kernels = screen.getByRole('region', { name: 'Kernels' });
    const rows = within(kernels).getAllByRole('listitem');
    expect(rows.map(row => row.getAttribute('aria-label'))).toEqual([
      'train.ipynb',
      'long_name_of_an_evaluation_run_2.ipynb',
      'old.ipynb',
      'stats.ipynb',
      'other processes'
    ]);
    expect(rows[0]?.getAttribute('aria-current')).toBe('true');
  });

  it('says in a sentence what the bar shows', () => {
    showExample('simulated');
    const bar = screen.getByRole('img', { name: /in use/ });
    expect(bar.getAttribute('aria-label')?.replaceAll('\u00a0', ' ')).toBe(
      'GPU 0 · Simulated GPU: 7.6 GiB of 8.0 GiB in use. tensors 6.1 GiB, cache 1.1 GiB, context and other 410 MiB, free 410 MiB.'
    );
  });

  it('says when a device is simulated', () => {
    showExample('simulated');
    expect(screen.getByText('simulated')).toBeTruthy();
  });

  it('divides what a kernel holds', () => {
    showExample('two-gpus');
    const row = screen.getByRole('listitem', { name: 'train.ipynb' });
    expect(row.textContent?.replaceAll('\u00a0', ' ')).toContain(
      'idle · tensors 11.9 · cache 1.8 · context 0.5'
    );
  });

  it('explains that there is no driver, and shows the memory of the computer', () => {
    showExample('host-only');
    expect(screen.getByText('No NVIDIA driver library found')).toBeTruthy();
    expect(
      screen.getByRole('region', { name: 'Memory of this computer' })
    ).toBeTruthy();
  });

  it('does not speak of a missing driver beside a GPU that works', () => {
    showExample('simulated');
    expect(screen.queryByText('No NVIDIA driver library found')).toBeNull();
  });

  it.each(['no-driver', 'starting', 'trouble'])(
    'is not blank in the state %s',
    name => {
      showExample(name);
      expect(screen.getAllByRole('heading', { level: 3 })).not.toEqual([]);
    }
  );

  it('says that no source is switched on', () => {
    const { snapshot } = snapshotOf('starting');
    const decoded = { snapshot: { ...snapshot, providers: [] }, problems: [] };
    show({ kind: 'ready', decoded });
    expect(
      screen.getByText('No source of GPU figures is switched on')
    ).toBeTruthy();
  });

  it('says that no kernel runs', () => {
    showExample('starting');
    expect(screen.getByText(/No kernel is running/)).toBeTruthy();
  });

  it('says what could not be read', () => {
    const decoded = {
      ...snapshotOf('two-gpus'),
      problems: ['devices[2].name: expected string']
    };
    show({ kind: 'ready', decoded });
    expect(screen.getByText('devices[2].name: expected string')).toBeTruthy();
  });

  it('keeps the figures while the server is away, and says since when', () => {
    show({
      kind: 'failed',
      failure: { kind: 'unreachable' },
      sinceMs: 0,
      last: snapshotOf('two-gpus')
    });
    expect(screen.getByText('Jupyter Server does not answer')).toBeTruthy();
    expect(screen.getByText(/Those below are older/)).toBeTruthy();
    expect(screen.getByText('train.ipynb')).toBeTruthy();
  });

  it('asks to restart the server when it is of another version', () => {
    const failure = { kind: 'wrong_version' } as const;
    show({ kind: 'failed', failure, sinceMs: 0, last: null });
    expect(
      screen.getByText('Restart Jupyter Server, then reload this page.')
    ).toBeTruthy();
  });

  it('reads a result out, and puts it away', () => {
    const actions = show(
      { kind: 'loading' },
      {
        severity: 'success',
        text: 'Freed 1 GiB.',
        restartId: null,
        target: TARGET,
        report: null
      }
    );
    expect(screen.getByRole('status').textContent).toContain('Freed 1 GiB.');
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(actions.dismissed).toBe(1);
  });

  it('refreshes, and opens the menu of a kernel', () => {
    const actions = showExample('two-gpus');
    fireEvent.click(screen.getByRole('button', { name: 'Refresh GPU memory' }));
    fireEvent.click(
      screen.getByRole('button', { name: 'Free memory of train.ipynb' })
    );
    expect(actions.refreshed).toBe(1);
    expect(actions.freed).toEqual([CURRENT]);
  });

  it('points out a kernel that is idle and holds much, and offers to end it', () => {
    const actions = showExample('two-gpus');
    const row = screen.getByRole('listitem', { name: 'old.ipynb' });
    expect(row.textContent?.replaceAll('\u00a0', ' ')).toContain(
      'Idle for 3 h and holding 2.0 GiB.'
    );
    fireEvent.click(
      screen.getByRole('button', { name: 'Shut down old.ipynb' })
    );
    expect(actions.ran[0]).toContain(CommandIDs.shutDown);
  });
});

describe('a device card', () => {
  it('shows a lost GPU without figures, in words', () => {
    const { devices } = snapshotOf('trouble').snapshot;
    const lost = devices.find(device => device.state === 'lost');
    if (!lost) {
      throw new Error('the example has no lost device');
    }
    render(
      <DeviceCard
        device={lost}
        kernels={[]}
        currentId={null}
        points={[]}
        cells={[]}
        isFoldable={false}
        trans={trans}
      />
    );
    expect(screen.getByText('unknown')).toBeTruthy();
    expect(screen.getByText(/does not answer any more/)).toBeTruthy();
    expect(screen.queryByRole('img')).toBeNull();
  });
});

describe('the text of the reset dialog', () => {
  const text = (isBusy: boolean): string | null => {
    const { container } = render(
      <ResetText
        kernelName="Python 3"
        isBusy={isBusy}
        reservedBytes={2 ** 30}
        ticks={{ keepImports: true, dontAsk: false }}
        onTick={() => {}}
        trans={trans}
      />
    );
    return container.textContent;
  };

  it('says what goes, what stays and how much that is', () => {
    expect(text(false)).toMatch(/all variables.*Kept:.*Up to 1\.0\sGiB/);
  });

  it('says that a cell runs only when one does', () => {
    expect(text(false)).not.toContain('interrupt it');
    expect(text(true)).toContain('Wait until it has ended, or interrupt it');
  });
});

describe('the status item', () => {
  const showStatus = (state: GpuMemModel.State, warnPercent = 90): void => {
    render(
      <StatusItem
        state={state}
        warnPercent={warnPercent}
        onClick={() => {}}
        trans={trans}
      />
    );
  };

  it('shows the fullest GPU', () => {
    showStatus({ kind: 'ready', decoded: snapshotOf('two-gpus') });
    expect(screen.getByRole('button').textContent).toContain('GPU 0');
  });

  it('warns in words when the GPU is fuller than the user wants', () => {
    const state = { kind: 'ready', decoded: snapshotOf('two-gpus') } as const;
    showStatus(state, 95);
    expect(screen.getByRole('button').textContent).not.toContain('almost full');
    cleanup();
    showStatus(state, 90);
    expect(screen.getByRole('button').textContent).toContain('almost full');
  });

  it('is not there without a device', () => {
    showStatus({ kind: 'ready', decoded: snapshotOf('no-driver') });
    expect(screen.queryByRole('button')).toBeNull();
  });
});
