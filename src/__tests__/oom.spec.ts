import { GpuMemModel } from '../model';
import { OutOfMemory } from '../oom';
import type { IDecodedSnapshot } from '../wire/decode';
import { decodeHolders } from '../wire/holders';
import { oomWords } from '../words/oom';
import { exampleOf, snapshotOf } from './contract';
import { trans } from './trans';

class FakeStorage {
  private readonly _items = new Map<string, string>();

  getItem(key: string): string | null {
    return this._items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    this._items.set(key, value);
  }
}

function afterCell(cell: number, isOut: boolean): IDecodedSnapshot {
  const { snapshot, problems } = snapshotOf('two-gpus');
  const [first, ...rest] = snapshot.kernels;
  if (!first) {
    throw new Error('the example has no kernel');
  }
  const last_cell = {
    cell,
    cell_id: null,
    execution_count: cell,
    began_ms: snapshot.taken_at_ms - 5000 + cell,
    duration_ms: 1000,
    error: isOut ? 'OutOfMemoryError' : null,
    out_of_memory: isOut,
    devices: []
  };
  const kernels = [{ ...first, last_cell }, ...rest];
  return { problems, snapshot: { ...snapshot, kernels } };
}

describe('OutOfMemory', () => {
  let answer = afterCell(1, false);
  let model: GpuMemModel;
  let storage: FakeStorage;
  let told: string[];
  let isWanted: boolean;
  let watching: OutOfMemory;

  const watch = (isOpen = true): OutOfMemory =>
    new OutOfMemory({
      isOpen: () => isOpen,
      isWanted: () => isWanted,
      model,
      onNews: (kernel, name) =>
        told.push(`${name} ${kernel.last_cell?.execution_count}`),
      storage
    });

  const see = async (cell: number, isOut: boolean): Promise<void> => {
    answer = afterCell(cell, isOut);
    void model.refresh();
    await jest.advanceTimersByTimeAsync(1000);
  };

  beforeEach(() => {
    jest.useFakeTimers();
    storage = new FakeStorage();
    told = [];
    isWanted = true;
    model = new GpuMemModel({
      source: { snapshot: () => Promise.resolve(answer) }
    });
    watching = watch();
  });

  afterEach(() => {
    watching.dispose();
    model.dispose();
    jest.useRealTimers();
  });

  it('tells of each cell that ran out of memory, and never twice', async () => {
    await see(1, false);
    await see(2, true);
    await see(2, true);
    await see(3, false);
    await see(4, true);
    expect(told).toEqual(['train.ipynb 2', 'train.ipynb 4']);
  });

  it('is told once by all pages of a browser', async () => {
    const other = watch();
    await see(2, true);
    other.dispose();
    expect(told).toEqual(['train.ipynb 2']);
  });

  it('leaves kernels to the pages that have them open', async () => {
    watching.dispose();
    const other = watch(false);
    await see(2, true);
    other.dispose();
    expect(told).toEqual([]);
  });

  it('is silent when the user wants it so', async () => {
    isWanted = false;
    await see(2, true);
    expect(told).toEqual([]);
  });
});

describe('the words about memory that ran out', () => {
  const holders = decodeHolders(exampleOf('holders'));

  it('name the cell and the largest holders, and fit into a notification', () => {
    const text = oomWords('train.ipynb', 12, holders, trans);
    expect(text.replaceAll('\u00a0', ' ')).toBe(
      'Cell 12 of train.ipynb ran out of GPU memory. Held by: last exception 6.1 GiB, opt 5.7 GiB.'
    );
    expect(text.length).toBeLessThanOrEqual(140);
  });

  it('do without holders when the kernel does not tell', () => {
    expect(oomWords('train.ipynb', null, null, trans)).toBe(
      'train.ipynb ran out of GPU memory.'
    );
  });
});
