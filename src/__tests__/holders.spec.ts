import { RequestFailed } from '../failure';
import { bytesOf, type HolderRow, rowsOf } from '../holder-rows';
import { HolderLists } from '../holders';
import { GpuMemModel } from '../model';
import { decodeFreeReport } from '../wire/decode';
import { decodeHolders } from '../wire/holders';
import type { Holders } from '../wire/schema';
import { exampleOf, snapshotOf } from './contract';
import { TARGET } from './fake-freeing';

const HOLDERS = decodeHolders(exampleOf('holders'));
const KERNEL = '3f2b8c1e-1111-4a4a-8c8c-000000000001';
const VIEW = { sort: 'size', filter: '', open: new Set<string>() } as const;

function keysOf(rows: readonly HolderRow[]): string[] {
  return rows.map(row => row.key);
}

describe('the rows of holders', () => {
  it('are the holders by size, then what no name explains', () => {
    const rows = rowsOf(HOLDERS, 5, VIEW);
    expect(keysOf(rows)).toEqual([
      'exception',
      'variable:opt',
      'invisible memory',
      'context memory'
    ]);
    expect(rows.map(bytesOf)).toEqual([6549825126, 6120328397, 107374182, 5]);
  });

  it('have the tensors of an open holder below it', () => {
    const rows = rowsOf(HOLDERS, 0, { ...VIEW, open: new Set(['exception']) });
    expect(rows.map(row => row.kind).slice(0, 3)).toEqual([
      'holder',
      'tensor',
      'holder'
    ]);
  });

  it('say which can be opened', () => {
    const [exception, optimizer] = rowsOf(HOLDERS, 0, VIEW);
    expect(exception).toMatchObject({ isOpen: false });
    expect(optimizer).toMatchObject({ isOpen: null });
  });

  it('can be sorted by name', () => {
    const rows = rowsOf(HOLDERS, 0, { ...VIEW, sort: 'name' });
    expect(keysOf(rows).slice(0, 2)).toEqual(['exception', 'variable:opt']);
  });

  it('are searched by name and way, and leave the rest out', () => {
    const rows = rowsOf(HOLDERS, 5, { ...VIEW, filter: 'EXP_avg' });
    expect(keysOf(rows)).toEqual(['variable:opt']);
  });

  it('come quickly for twenty thousand holders', () => {
    const [first] = HOLDERS.holders;
    const many = Array.from({ length: 20_000 }, (_, index) => ({
      ...first,
      id: `variable:x${index}`
    }));
    const body = { ...HOLDERS, holders: many };
    expect(rowsOf(decodeHolders(body), 0, VIEW)).toHaveLength(20_001);
  });
});

class FakeKernel implements HolderLists.ISource {
  readonly offsets: number[] = [];
  isBusy = false;

  holders(_kernelId: string, offset: number): Promise<Holders> {
    this.offsets.push(offset);
    const failure = { kind: 'refused', reason: 'busy', message: '' } as const;
    return this.isBusy
      ? Promise.reject(new RequestFailed(failure))
      : Promise.resolve(HOLDERS);
  }
}

describe('HolderLists', () => {
  let kernel: FakeKernel;
  let model: GpuMemModel;
  let lists: HolderLists;

  beforeEach(async () => {
    jest.useFakeTimers();
    kernel = new FakeKernel();
    model = new GpuMemModel({
      source: { snapshot: () => Promise.resolve(snapshotOf('two-gpus')) }
    });
    lists = new HolderLists({ model, source: kernel });
    void model.refresh();
    await jest.advanceTimersByTimeAsync(1000);
  });

  afterEach(() => {
    lists.dispose();
    model.dispose();
    jest.useRealTimers();
  });

  it('ask a kernel only when its list is opened', async () => {
    expect(lists.of(KERNEL).kind).toBe('closed');
    await lists.toggle(KERNEL);
    expect(lists.of(KERNEL)).toMatchObject({ kind: 'ready' });
    await lists.toggle(KERNEL);
    expect(lists.of(KERNEL).kind).toBe('closed');
    expect(kernel.offsets).toEqual([0]);
  });

  it('keep the old list while a cell keeps the kernel from answering', async () => {
    await lists.scan(KERNEL);
    kernel.isBusy = true;
    await lists.scan(KERNEL);
    expect(lists.of(KERNEL)).toMatchObject({
      kind: 'failed',
      failure: { reason: 'busy' },
      last: { holders: HOLDERS }
    });
  });

  it('forget an answer that comes after the list was closed', async () => {
    const asking = lists.scan(KERNEL);
    await lists.toggle(KERNEL);
    await asking;
    expect(lists.of(KERNEL).kind).toBe('closed');
  });

  it('fetch what follows', async () => {
    await lists.scan(KERNEL);
    await lists.more(KERNEL);
    expect(kernel.offsets).toEqual([0, HOLDERS.holders.length]);
    const state = lists.of(KERNEL);
    expect(state.kind === 'ready' && state.last.holders.holders).toHaveLength(
      2 * HOLDERS.holders.length
    );
  });

  it('look again after a cleanup: what is gone must not be offered', async () => {
    await lists.scan(KERNEL);
    model.result = {
      severity: 'success',
      text: '',
      restartId: null,
      target: { ...TARGET, kernelId: KERNEL },
      report: decodeFreeReport(exampleOf('free-report-reset'))
    };
    expect(lists.of(KERNEL).kind).toBe('loading');
    expect(kernel.offsets).toHaveLength(2);
  });
});
