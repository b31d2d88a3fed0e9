import { Signal } from '@lumino/signaling';
import { Attention } from '../attention';
import { GpuMemModel } from '../model';
import { FakeServer } from './fake-freeing';

class FakeDocuments implements Attention.IDocuments {
  readonly busyChanged = new Signal<this, boolean>(this);
  readonly changed = new Signal<this, void>(this);
  currentKernelId: string | null = 'a';
  isBusy = false;

  run(): void {
    this.isBusy = true;
    this.busyChanged.emit(true);
    this.changed.emit();
  }

  finish(): void {
    this.isBusy = false;
    this.busyChanged.emit(false);
    this.changed.emit();
  }
}

describe('Attention', () => {
  let server: FakeServer;
  let model: GpuMemModel;
  let documents: FakeDocuments;
  let attention: Attention;

  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  beforeEach(async () => {
    jest.useFakeTimers();
    server = new FakeServer();
    model = new GpuMemModel({ source: server });
    documents = new FakeDocuments();
    attention = new Attention({ documents, model });
    await pass(1000);
  });

  afterEach(() => {
    attention.dispose();
    model.dispose();
    jest.useRealTimers();
  });

  it('asks once at the start and then leaves an idle page alone', async () => {
    await pass(600_000);
    expect(server.snapshots).toBe(1);
  });

  it('asks slowly while a cell runs and once more when it has ended', async () => {
    documents.run();
    await pass(60_000);
    const during = server.snapshots;
    expect(during).toBeGreaterThan(5);
    expect(during).toBeLessThan(20);
    documents.finish();
    await pass(600_000);
    expect(server.snapshots).toBe(during + 1);
  });

  it('asks once for many short cells', async () => {
    for (let cell = 0; cell < 20; cell++) {
      documents.run();
      documents.finish();
    }
    await pass(600_000);
    expect(server.snapshots).toBe(2);
  });

  it('asks once when another notebook comes to the front', async () => {
    documents.currentKernelId = 'b';
    documents.changed.emit();
    documents.changed.emit();
    await pass(600_000);
    expect(server.snapshots).toBe(2);
  });

  it('asks nothing any more when it is disposed', async () => {
    documents.run();
    attention.dispose();
    await pass(600_000);
    expect(server.snapshots).toBe(1);
  });
});
