import { RequestFailed } from '../failure';
import { GpuMemModel, lastOf, TIME_STEP_MS } from '../model';
import type { IDecodedSnapshot } from '../wire/decode';
import { snapshotOf } from './contract';
import { TARGET } from './fake-freeing';

const RESULT: GpuMemModel.IResult = {
  severity: 'success',
  text: 'Freed 1 GiB.',
  restartId: null,
  target: TARGET,
  report: null
};
const INTERVAL_MS = snapshotOf('two-gpus').snapshot.interval_ms;

class FakeSource implements GpuMemModel.ISource {
  calls = 0;
  answer: () => Promise<IDecodedSnapshot> = () =>
    Promise.resolve(snapshotOf('two-gpus'));

  snapshot(): Promise<IDecodedSnapshot> {
    this.calls++;
    return this.answer();
  }

  fail(): void {
    this.answer = () =>
      Promise.reject(new RequestFailed({ kind: 'unreachable' }));
  }
}

describe('GpuMemModel', () => {
  let source: FakeSource;
  let model: GpuMemModel;
  let changes: number;

  beforeEach(() => {
    jest.useFakeTimers();
    source = new FakeSource();
    model = new GpuMemModel({ source });
    changes = 0;
    model.changed.connect(() => changes++);
  });

  afterEach(() => {
    model.dispose();
    jest.useRealTimers();
  });

  const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  it('asks nothing as long as nobody looks', async () => {
    await pass(600_000);
    expect(source.calls).toBe(0);
    expect(model.state.kind).toBe('loading');
  });

  it('asks at once when somebody begins to look, then at the interval of the server', async () => {
    model.watch('live');
    await pass(0);
    expect(source.calls).toBe(1);
    expect(model.state.kind).toBe('ready');
    await pass(20_000);
    const before = source.calls;
    await pass(10 * INTERVAL_MS);
    expect(source.calls - before).toBe(10);
  });

  it('asks a fifth as often for those who look slowly', async () => {
    model.watch('slow');
    await pass(60_000);
    const before = source.calls;
    await pass(50 * INTERVAL_MS);
    expect(source.calls - before).toBe(10);
  });

  it('asks for the one who looks live as long as there is one', async () => {
    model.watch('slow');
    const live = model.watch('live');
    await pass(20_000);
    let before = source.calls;
    await pass(10 * INTERVAL_MS);
    expect(source.calls - before).toBe(10);
    live.dispose();
    await pass(20_000);
    before = source.calls;
    await pass(50 * INTERVAL_MS);
    expect(source.calls - before).toBe(10);
  });

  it('stops when the last one looks away', async () => {
    const first = model.watch('live');
    const second = model.watch('live');
    await pass(5000);
    first.dispose();
    second.dispose();
    second.dispose();
    const before = source.calls;
    await pass(600_000);
    expect(source.calls).toBe(before);
  });

  it('asks once when told to although nobody looks', async () => {
    void model.refresh();
    await pass(600_000);
    expect(source.calls).toBe(1);
  });

  it('says nothing when nothing is new', async () => {
    const same = snapshotOf('two-gpus');
    source.answer = () => Promise.resolve(same);
    model.watch('live');
    await pass(20_000);
    expect(source.calls).toBeGreaterThan(5);
    expect(changes).toBe(1);
  });

  const later = (ms: number): IDecodedSnapshot => {
    const { snapshot, problems } = snapshotOf('two-gpus');
    const devices = snapshot.devices.map(one => ({ ...one, age_ms: ms }));
    const taken_at_ms = snapshot.taken_at_ms + ms;
    return { problems, snapshot: { ...snapshot, devices, taken_at_ms } };
  };

  const answerLater = (): void => {
    const startMs = Date.now();
    source.answer = () => Promise.resolve(later(Date.now() - startMs));
  };

  it('says nothing when only time has passed, but that it has every half minute', async () => {
    answerLater();
    model.watch('live');
    await pass(TIME_STEP_MS - 2 * INTERVAL_MS);
    expect(source.calls).toBeGreaterThan(10);
    expect(changes).toBe(1);
    await pass(3 * INTERVAL_MS);
    expect(changes).toBe(2);
  });

  it('keeps the objects of what has not changed', async () => {
    answerLater();
    model.watch('live');
    await pass(0);
    const before = lastOf(model.state)?.snapshot;
    const [kernel, ...rest] = later(60_000).snapshot.kernels;
    if (!kernel) {
      throw new Error('the example has no kernel');
    }
    const changed = later(60_000);
    const kernels = [{ ...kernel, execution_state: 'busy' }, ...rest];
    source.answer = () =>
      Promise.resolve({
        ...changed,
        snapshot: { ...changed.snapshot, kernels }
      });
    await pass(2 * INTERVAL_MS);
    const after = lastOf(model.state)?.snapshot;
    expect(after?.devices).toBe(before?.devices);
    expect(after?.kernels[0]).not.toBe(before?.kernels[0]);
    expect(after?.kernels[1]).toBe(before?.kernels[1]);
  });

  it('keeps the last figures while the server is away, and since when it is', async () => {
    model.watch('live');
    await pass(20_000);
    source.fail();
    await pass(INTERVAL_MS);
    const { state } = model;
    expect(state).toMatchObject({
      kind: 'failed',
      failure: { kind: 'unreachable' },
      last: snapshotOf('two-gpus')
    });
    const since = state.kind === 'failed' ? state.sinceMs : 0;
    await pass(120_000);
    expect(model.state).toMatchObject({ kind: 'failed', sinceMs: since });
  });

  it('asks more and more rarely while the server is away, and recovers by itself', async () => {
    model.watch('live');
    await pass(20_000);
    source.fail();
    const before = source.calls;
    await pass(300_000);
    expect(source.calls - before).toBeLessThan(60);
    source.answer = () => Promise.resolve(snapshotOf('simulated'));
    await pass(31_000);
    expect(model.state.kind).toBe('ready');
  });

  it('names an error it does not know instead of dying of it', async () => {
    source.answer = () => Promise.reject(new TypeError('odd'));
    model.watch('live');
    await pass(0);
    expect(model.state).toMatchObject({
      kind: 'failed',
      failure: { kind: 'bad_answer', detail: 'TypeError: odd' },
      last: null
    });
  });

  it('tells the views of a result, and that it is put away', () => {
    model.result = RESULT;
    model.result = null;
    expect(changes).toBe(2);
  });

  it('does nothing any more when it is disposed', async () => {
    model.watch('live');
    await pass(5000);
    model.dispose();
    const before = source.calls;
    await pass(60_000);
    expect(source.calls).toBe(before);
    expect(model.isDisposed).toBe(true);
  });
});
