import { Freeing } from '../freeing';
import { GpuMemModel } from '../model';
import type { ITarget } from '../target';
import { FakeServer, FakeUser } from './fake-freeing';
import { trans } from './trans';

const TARGET: ITarget = {
  kernelId: 'k',
  name: 'train.ipynb',
  kernelName: 'Python 3',
  isBusy: false,
  reservedBytes: null
};

describe('Freeing', () => {
  let server: FakeServer;
  let model: GpuMemModel;

  beforeEach(() => {
    server = new FakeServer();
    model = new GpuMemModel({ source: server });
  });

  afterEach(() => model.dispose());

  function freeingFor(user: FakeUser): Freeing {
    const { ask, tell } = user;
    return new Freeing({ ask, tell, model, source: server, trans });
  }

  it('does nothing when the user says no', async () => {
    const user = new FakeUser(null);
    await freeingFor(user).reset(TARGET);
    expect(server.asked).toEqual([]);
    expect(user.told).toEqual([]);
  });

  it('resets and tells what came free', async () => {
    const user = new FakeUser({ keepImports: false });
    await freeingFor(user).reset(TARGET);
    expect(server.asked).toEqual([
      { level: 'reset', keep_imports: false, when_busy: 'fail' }
    ]);
    expect(user.told[0]).toBe('Freeing GPU memory of train.ipynb…');
    expect(user.told[1]).toContain('success: Freed 13.6');
    expect(model.result?.severity).toBe('success');
  });

  it('interrupts when the user was told that a cell runs', async () => {
    const user = new FakeUser({ keepImports: true });
    await freeingFor(user).reset({ ...TARGET, isBusy: true });
    expect(server.asked[0]?.when_busy).toBe('interrupt');
  });

  it('asks again when a cell was started meanwhile', async () => {
    server.refusals.push('busy');
    const user = new FakeUser({ keepImports: true });
    await freeingFor(user).reset(TARGET);
    expect(user.questions.map(one => one.isBusy)).toEqual([false, true]);
    expect(server.asked.map(one => one.when_busy)).toEqual([
      'fail',
      'interrupt'
    ]);
    expect(user.told[1]).toBeNull();
  });

  it('does not interrupt a cell for the cache alone', async () => {
    server.refusals.push('busy');
    const user = new FakeUser(null);
    await freeingFor(user).freeCache(TARGET);
    expect(server.asked).toEqual([{ level: 'cache' }]);
    expect(user.questions).toEqual([]);
    expect(user.told[1]).toContain(
      'warning: A cell is running in train.ipynb.'
    );
  });

  it.each([
    'still_busy',
    'in_progress',
    'no_agent',
    'refused',
    'kernel_failed',
    'timeout',
    'unknown_kernel',
    'bad_request'
  ] as const)('says in words when the server answers %s', async reason => {
    server.refusals.push(reason);
    const user = new FakeUser({ keepImports: true });
    await freeingFor(user).reset(TARGET);
    expect(model.result?.severity).toBe('error');
    expect(model.result?.text).toMatch(/train\.ipynb|Jupyter Server/);
    expect(user.told).toHaveLength(2);
  });
});
