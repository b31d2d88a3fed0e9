import { act, fireEvent, render, screen } from '@testing-library/react';
import * as React from 'react';
import { HoldersView } from '../../components/holders-view';
import type { HolderLists } from '../../holders';
import { CommandIDs } from '../../tokens';
import { decodeHolders } from '../../wire/holders';
import type { Holders, Kernel } from '../../wire/schema';
import { exampleOf, snapshotOf } from '../contract';
import { trans } from '../trans';
import { FakeActions } from './fake-actions';

const HOLDERS = decodeHolders(exampleOf('holders'));

function kernelOf(): Kernel {
  const [kernel] = snapshotOf('two-gpus').snapshot.kernels;
  if (!kernel) {
    throw new Error('the example has no kernel');
  }
  return kernel;
}

const KERNEL = kernelOf();

function show(
  list: Exclude<HolderLists.State, { kind: 'closed' }>
): FakeActions {
  const actions = new FakeActions();
  render(
    <HoldersView kernel={KERNEL} list={list} actions={actions} trans={trans} />
  );
  return actions;
}

function showHolders(holders: Holders = HOLDERS): FakeActions {
  return show({ kind: 'ready', last: { holders, atMs: 0 } });
}

function manyHolders(count: number): Holders {
  const [first] = HOLDERS.holders;
  const holders = Array.from({ length: count }, (_, index) => ({
    ...first,
    id: `variable:x${index}`,
    root: 'variable',
    path: `x${index}`,
    detail: `x${index}`,
    reaches_bytes: 2 ** 30 - index
  }));
  return decodeHolders({ ...HOLDERS, holders, explanations: [] });
}

const rows = (): HTMLElement[] => screen.getAllByRole('row').slice(1);
const text = (element: HTMLElement | undefined): string =>
  element?.textContent?.replaceAll('\u00a0', ' ') ?? '';
const frame = (): Promise<void> =>
  act(async () => {
    await new Promise(resolve => requestAnimationFrame(resolve));
  });

describe('the list of holders', () => {
  it('names each holder with its size, what it is and who holds the same', () => {
    showHolders();
    expect(text(rows()[0])).toContain('6.1 GiB');
    expect(text(rows()[0])).toContain('last exception → train() line 12 → x');
    expect(text(rows()[0])).toContain('stored error · 2 tensors');
    expect(text(rows()[1])).toContain('optimizer state, 450 tensors');
    expect(text(rows()[1])).toContain('shared with model · 3.8 GiB alone');
  });

  it('ends with what no name explains', () => {
    showHolders();
    expect(text(rows()[2])).toContain('not visible to Python');
    expect(text(rows()[3])).toContain('context and other libraries');
    expect(screen.queryByRole('button', { name: /not visible/ })).toBeNull();
  });

  it('says in words what stands out', () => {
    showHolders();
    expect(
      screen.getByText(/The last error keeps the frames of the failed call/)
    ).toBeTruthy();
  });

  it('deletes what the row names', () => {
    const actions = showHolders();
    fireEvent.click(screen.getByRole('button', { name: 'Delete opt' }));
    expect(actions.ran).toEqual([
      `${CommandIDs.remove} ${KERNEL.id} variable:opt opt`
    ]);
  });

  it('works by keys alone: arrows, opening, closing and deleting', async () => {
    const actions = showHolders();
    const press = async (key: string): Promise<void> => {
      fireEvent.keyDown(document.activeElement ?? document.body, { key });
      await frame();
    };
    act(() => rows()[0]?.focus());
    await press('ArrowRight');
    expect(rows()[0]?.getAttribute('aria-expanded')).toBe('true');
    expect(rows()[1]?.getAttribute('aria-level')).toBe('2');
    await press('ArrowDown');
    expect(document.activeElement).toBe(rows()[1]);
    expect(text(rows()[1])).toContain('float32 64×262144');
    await press('ArrowUp');
    await press('ArrowLeft');
    expect(rows()[0]?.getAttribute('aria-expanded')).toBe('false');
    await press('End');
    expect(document.activeElement).toBe(rows().at(-1));
    await press('Home');
    await press('Delete');
    expect(actions.ran).toEqual([
      `${CommandIDs.remove} ${KERNEL.id} exception last exception`
    ]);
  });

  it('has one stop for the Tab key among its rows', () => {
    showHolders();
    expect(rows().filter(row => row.tabIndex === 0)).toHaveLength(1);
  });

  it('draws only what can be seen of twenty thousand, and says how many there are', () => {
    showHolders(manyHolders(20_000));
    expect(rows().length).toBeLessThan(30);
    expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe(
      '20003'
    );
  });

  it('finds a holder by its name', () => {
    showHolders(manyHolders(20));
    const filter = screen.getByRole('searchbox', { name: 'Filter by name' });
    fireEvent.change(filter, { target: { value: 'x17' } });
    expect(rows()).toHaveLength(1);
    expect(text(rows()[0])).toContain('x17');
  });

  it('can be sorted by name', () => {
    showHolders(manyHolders(20));
    fireEvent.click(screen.getByRole('button', { name: 'Held by' }));
    expect(text(rows()[2])).toContain('x10');
    expect(
      screen
        .getByRole('columnheader', { name: 'Held by' })
        .getAttribute('aria-sort')
    ).toBe('ascending');
  });

  it('fetches what is not there yet', () => {
    const actions = showHolders({ ...HOLDERS, holders_count: 500 });
    fireEvent.click(screen.getByRole('button', { name: 'Show 497 more' }));
    expect(actions.ran).toEqual([`more ${KERNEL.id}`]);
  });

  it('says when the search was cut short', () => {
    showHolders({ ...HOLDERS, partial: true });
    expect(screen.getByText(/more to search than time/)).toBeTruthy();
  });

  it('explains that a running cell keeps it from looking, and keeps the old list', () => {
    const failure = { kind: 'refused', reason: 'busy', message: '' } as const;
    show({ kind: 'failed', failure, last: { holders: HOLDERS, atMs: 0 } });
    expect(screen.getByText(/can be listed when it has ended/)).toBeTruthy();
    expect(rows()).toHaveLength(4);
  });

  it('looks again', () => {
    const actions = showHolders();
    fireEvent.click(screen.getByRole('button', { name: /^Look again/ }));
    expect(actions.ran).toEqual([`show ${KERNEL.id}`]);
  });
});
