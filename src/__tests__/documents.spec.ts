import { Signal } from '@lumino/signaling';
import { Documents } from '../documents';
import { GpuMemModel } from '../model';
import { targetOf } from '../target';
import { FakeServer } from './fake-freeing';

class FakeDocument implements Documents.IDocument {
  constructor(
    private readonly _name: string,
    private readonly _kernelId: string | null
  ) {}

  readonly disposed = new Signal<this, void>(this);
  readonly changed = new Signal<this, string>(this);
  isDisposed = false;
  status = 'idle';

  get sessionContext(): Documents.ISession {
    const id = this._kernelId;
    return {
      name: this._name,
      kernelDisplayName: 'Python 3',
      kernelChanged: this.changed,
      statusChanged: this.changed,
      session: { kernel: id === null ? null : this._kernel(id) }
    };
  }

  get id(): string {
    return `id-of-${this._name}`;
  }

  private _kernel(id: string): Documents.IKernel {
    return { id, status: this.status, restart: () => Promise.resolve() };
  }

  become(status: string): void {
    this.status = status;
    this.changed.emit(status);
  }

  dispose(): void {
    this.isDisposed = true;
    this.disposed.emit();
  }
}

class FakeTracker implements Documents.ITracker {
  readonly currentChanged = new Signal<this, Documents.IDocument | null>(this);
  readonly widgetAdded = new Signal<this, Documents.IDocument>(this);
  readonly open: FakeDocument[] = [];
  currentWidget: FakeDocument | null = null;

  add(document: FakeDocument): FakeDocument {
    this.open.push(document);
    this.widgetAdded.emit(document);
    this.show(document);
    return document;
  }

  show(document: FakeDocument | null): void {
    this.currentWidget = document;
    this.currentChanged.emit(document);
  }

  forEach(visit: (document: Documents.IDocument) => void): void {
    this.open.forEach(visit);
  }
}

describe('Documents', () => {
  let notebooks: FakeTracker;
  let consoles: FakeTracker;
  let documents: Documents;
  let busy: boolean[];

  beforeEach(() => {
    notebooks = new FakeTracker();
    notebooks.add(new FakeDocument('train.ipynb', 'a'));
    consoles = new FakeTracker();
    documents = new Documents({ trackers: [notebooks, consoles] });
    busy = [];
    documents.busyChanged.connect((_, isBusy) => busy.push(isBusy));
  });

  afterEach(() => documents.dispose());

  it('knows what was open before it', () => {
    expect(documents.currentKernelId).toBe('a');
  });

  it('follows the document in front, notebook or console', () => {
    consoles.add(new FakeDocument('Console 1', 'b'));
    expect(documents.currentKernelId).toBe('b');
    notebooks.show(notebooks.open[0] ?? null);
    expect(documents.currentKernelId).toBe('a');
  });

  it('falls back on what is left when the one in front is closed', () => {
    const shown = consoles.add(new FakeDocument('Console 1', 'b'));
    shown.dispose();
    consoles.show(null);
    expect(documents.currentKernelId).toBe('a');
  });

  it('says once that cells run, whatever number of notebooks runs them', () => {
    const [first] = notebooks.open;
    const second = notebooks.add(new FakeDocument('eval.ipynb', 'b'));
    first?.become('busy');
    second.become('busy');
    first?.become('idle');
    expect(busy).toEqual([true]);
    second.become('idle');
    expect(busy).toEqual([true, false]);
  });

  it('does not wait for a cell of a notebook that is closed', () => {
    const second = notebooks.add(new FakeDocument('eval.ipynb', 'b'));
    second.become('busy');
    second.dispose();
    expect(documents.isBusy).toBe(false);
  });

  it('has no kernel when the document in front has none', () => {
    notebooks.add(new FakeDocument('new.ipynb', null));
    expect(documents.currentKernelId).toBeNull();
  });
});

describe('the target of a command', () => {
  const KERNEL = '3f2b8c1e-3333-4a4a-8c8c-000000000003';
  let documents: Documents;
  let model: GpuMemModel;

  beforeEach(async () => {
    jest.useFakeTimers();
    const notebooks = new FakeTracker();
    notebooks.add(new FakeDocument('train.ipynb', 'a')).status = 'busy';
    documents = new Documents({ trackers: [notebooks] });
    model = new GpuMemModel({ source: new FakeServer() });
    void model.refresh();
    await jest.advanceTimersByTimeAsync(0);
  });

  afterEach(() => {
    documents.dispose();
    model.dispose();
    jest.useRealTimers();
  });

  it('is the kernel in front, as the page knows it', () => {
    expect(targetOf({}, documents, model)).toEqual({
      kernelId: 'a',
      name: 'train.ipynb',
      kernelName: 'Python 3',
      path: null,
      isBusy: true,
      reservedBytes: null
    });
  });

  it('is the kernel that is named, as the server knows it', () => {
    const target = targetOf({ kernelId: KERNEL }, documents, model);
    expect(target).toMatchObject({ name: 'old.ipynb', isBusy: false });
    expect(target?.reservedBytes).toBeGreaterThan(2 ** 30);
  });

  it('is nothing when the kernel is gone', () => {
    expect(targetOf({ kernelId: 'gone' }, documents, model)).toBeNull();
  });

  it('is nothing when no document is open', () => {
    const empty = new Documents({ trackers: [] });
    expect(targetOf({}, empty, model)).toBeNull();
  });
});
