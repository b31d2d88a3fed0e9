import { GpuMemModel } from '../model';
import { Waiting } from '../waiting';
import type { IDecodedSnapshot } from '../wire/decode';
import { decodeFreeReport } from '../wire/decode';
import type { FreeEnd, FreeStatus, Operation } from '../wire/schema';
import { exampleOf, snapshotOf } from './contract';
import { TARGET } from './fake-freeing';
import { trans } from './trans';

const KERNEL = '3f2b8c1e-1111-4a4a-8c8c-000000000001';
const WAITS: Operation = {
  id: 'op',
  level: 'reset',
  state: 'waiting',
  requested_at_ms: 0
};
const ENDED: FreeEnd = {
  id: 'op',
  level: 'reset',
  outcome: 'freed',
  requested_at_ms: 0,
  ended_at_ms: 1
};

class FakeServer implements Waiting.ISource, GpuMemModel.ISource {
  operation: Operation | null = null;
  last_free: FreeEnd | null = null;
  status: Pick<FreeStatus, 'report' | 'error'> = { report: null, error: null };

  freeStatus(): Promise<FreeStatus> {
    const { operation, last_free: last } = this;
    return Promise.resolve({
      wire_version: 1,
      operation,
      last,
      ...this.status
    });
  }

  snapshot(): Promise<IDecodedSnapshot> {
    const { snapshot, problems } = snapshotOf('two-gpus');
    const { operation, last_free } = this;
    const kernels = snapshot.kernels.map(kernel =>
      kernel.id === KERNEL ? { ...kernel, operation, last_free } : kernel
    );
    return Promise.resolve({ problems, snapshot: { ...snapshot, kernels } });
  }
}

describe('Waiting', () => {
  let server: FakeServer;
  let model: GpuMemModel;
  let told: string[];
  let waiting: Waiting;

  beforeEach(() => {
    jest.useFakeTimers();
    server = new FakeServer();
    model = new GpuMemModel({ source: server });
    told = [];
    waiting = new Waiting({
      model,
      source: server,
      tell: result => told.push(`${result.severity}: ${result.text}`),
      trans
    });
  });

  afterEach(() => {
    model.dispose();
    jest.useRealTimers();
  });

  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
  const begin = async (): Promise<void> => {
    waiting.add({ ...TARGET, kernelId: KERNEL }, 'op');
    server.operation = WAITS;
    await pass(5000);
  };

  it('tells the outcome when the cell has ended and the memory is free', async () => {
    await begin();
    expect(told).toEqual([]);
    server.operation = null;
    server.last_free = ENDED;
    server.status = {
      report: decodeFreeReport(exampleOf('free-report-reset')),
      error: null
    };
    await pass(5000);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('success: Freed 13.6');
    expect(model.result?.report?.level).toBe('reset');
  });

  it('says nothing about what was called off', async () => {
    await begin();
    server.operation = null;
    server.last_free = { ...ENDED, outcome: 'cancelled' };
    await pass(5000);
    expect(told).toEqual([]);
    expect(model.result).toBeNull();
  });

  it('tells why it failed, with the restart where that helps', async () => {
    await begin();
    server.operation = null;
    server.last_free = { ...ENDED, outcome: 'failed' };
    server.status = {
      report: null,
      error: { wire_version: 1, reason: 'timeout', message: '', field: null }
    };
    await pass(5000);
    expect(told[0]).toContain('error: The kernel of train.ipynb');
    expect(model.result?.restartId).toBe(KERNEL);
  });

  it('asks for figures until then, though no view looks', async () => {
    await begin();
    server.operation = null;
    server.last_free = ENDED;
    await pass(5000);
    let polls = 0;
    const { snapshot } = server;
    server.snapshot = () => {
      polls++;
      return snapshot.call(server);
    };
    await pass(60_000);
    expect(polls).toBe(0);
  });
});
