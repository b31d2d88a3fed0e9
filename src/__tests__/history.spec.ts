import { segmentsOf } from '../segments';
import { RequestFailed } from '../failure';
import { FigureHistory } from '../history';
import { GpuMemModel } from '../model';
import type { IDecodedSnapshot } from '../wire/decode';
import { decodeHistory } from '../wire/history';
import type { History } from '../wire/schema';
import { exampleOf, snapshotOf } from './contract';

const KEY = 'nvml:5f1a7c9e-0000-4000-8000-00000000000a';
const KERNEL = '3f2b8c1e-1111-4a4a-8c8c-000000000001';
const MINUTE = 60_000;

class FakeServer implements FigureHistory.ISource, GpuMemModel.ISource {
  startMs = snapshotOf('two-gpus').snapshot.taken_at_ms;
  nowMs = this.startMs;
  usedBytes = 5;
  isAway = false;

  history(): Promise<History> {
    return this.isAway
      ? Promise.reject(new RequestFailed({ kind: 'not_enabled' }))
      : Promise.resolve(decodeHistory(exampleOf('history')));
  }

  snapshot(): Promise<IDecodedSnapshot> {
    const { snapshot } = snapshotOf('two-gpus');
    const devices = snapshot.devices.map(one => ({
      ...one,
      memory: { ...one.memory, used_bytes: this.usedBytes }
    }));
    const taken_at_ms = this.nowMs;
    return Promise.resolve({
      problems: [],
      snapshot: { ...snapshot, devices, taken_at_ms }
    });
  }
}

describe('FigureHistory', () => {
  let server: FakeServer;
  let model: GpuMemModel;
  let history: FigureHistory;

  beforeEach(() => {
    jest.useFakeTimers();
    server = new FakeServer();
    model = new GpuMemModel({ source: server });
    history = new FigureHistory({ model, source: server });
  });

  afterEach(() => {
    history.dispose();
    model.dispose();
    jest.useRealTimers();
  });

  const seeAt = async (seconds: number, usedBytes: number): Promise<void> => {
    server.nowMs = server.startMs + 1000 * seconds;
    server.usedBytes = usedBytes;
    void model.refresh();
    await jest.advanceTimersByTimeAsync(1000);
  };
  const points = (): (number | null | undefined)[][] =>
    history
      .device(KEY)
      .map(point => [(point.atMs - server.startMs) / 1000, point.sizes[0]]);

  it('begins with what the server has kept', async () => {
    await history.load();
    expect(points()).toEqual([
      [-4, 8589934592],
      [-2, 12884901888],
      [0, null]
    ]);
    expect(history.kernel(KERNEL, KEY)).toHaveLength(2);
  });

  it('goes on with what comes, and holds a figure as long as it held', async () => {
    await seeAt(1, 5);
    await seeAt(3, 5);
    await seeAt(5, 9);
    expect(points()).toEqual([
      [1, 5],
      [3, 5],
      [5, 9]
    ]);
  });

  it('forgets what is older than the server keeps', async () => {
    await seeAt(1, 5);
    await seeAt(16 * 60, 6);
    expect(points()).toEqual([[16 * 60, 6]]);
  });

  it('begins now where the server keeps nothing', async () => {
    server.isAway = true;
    await history.load();
    await seeAt(1, 5);
    expect(points()).toEqual([[1, 5]]);
  });

  it('has nothing of what it does not know', () => {
    expect(history.device('nvml:other')).toEqual([]);
  });
});

describe('the curve', () => {
  const at = (minutes: number, bytes: number | null = 1) => ({
    atMs: minutes * MINUTE,
    sizes: [bytes]
  });

  it('is broken where nobody looked or the figure is not known', () => {
    const runs = segmentsOf([at(0), at(0.5), at(5), at(5.1, null), at(5.2)]);
    expect(runs.map(run => run.length)).toEqual([2, 1, 1]);
  });
});
