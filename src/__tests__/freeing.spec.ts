import { Freeing } from '../freeing';
import { GpuMemModel } from '../model';
import { DEFAULTS, type IPreferences } from '../preferences';
import { FakeServer, FakeUser, TARGET } from './fake-freeing';
import { trans } from './trans';

describe('Freeing', () => {
  let server: FakeServer;
  let model: GpuMemModel;
  let waits: string[];

  beforeEach(() => {
    waits = [];
    server = new FakeServer();
    model = new GpuMemModel({ source: server });
  });

  afterEach(() => model.dispose());

  function freeingFor(
    user: FakeUser,
    preferences: Partial<IPreferences> = {}
  ): Freeing {
    return new Freeing({
      model,
      preferences: () => ({ ...DEFAULTS, ...preferences }),
      source: server,
      trans,
      user,
      waiting: { add: (_, operationId) => waits.push(operationId) }
    });
  }

  const go = (
    whenBusy: Freeing.WhenBusy,
    keepImports = true
  ): Freeing.ResetAnswer => ({ kind: 'go', whenBusy, keepImports });

  it('does nothing when the user says no', async () => {
    const user = new FakeUser();
    await freeingFor(user).reset(TARGET);
    await freeingFor(user).objects(TARGET);
    await freeingFor(user).remove(TARGET, { id: 'variable:x', path: 'x' });
    expect(server.asked).toEqual([]);
    expect(model.result).toBeNull();
  });

  it('resets and tells what came free', async () => {
    const user = new FakeUser({ reset: go('fail', false) });
    await freeingFor(user).reset(TARGET);
    expect(server.asked).toEqual([
      { level: 'reset', keep_imports: false, when_busy: 'fail' }
    ]);
    expect(user.told[0]).toBe('Freeing GPU memory of train.ipynb…');
    expect(user.told[1]).toContain('success: Freed 13.6');
    expect(model.result).toMatchObject({ severity: 'success', target: TARGET });
    expect(model.result?.report?.level).toBe('reset');
  });

  it('takes the settings for an answer where the user does not want to be asked', async () => {
    const user = new FakeUser();
    const preferences = { askBeforeReset: false, keepImports: false };
    await freeingFor(user, preferences).reset(TARGET);
    expect(user.questions).toEqual([]);
    expect(server.asked[0]).toMatchObject({ keep_imports: false });
  });

  it('asks all the same when a cell runs: what is lost then is another thing', async () => {
    const user = new FakeUser();
    const freeing = freeingFor(user, { askBeforeReset: false });
    await freeing.reset({ ...TARGET, isBusy: true });
    expect(user.questions).toHaveLength(1);
    expect(server.asked).toEqual([]);
  });

  it('interrupts when the user says so', async () => {
    const user = new FakeUser({ reset: go('interrupt') });
    await freeingFor(user).reset({ ...TARGET, isBusy: true });
    expect(server.asked[0]?.when_busy).toBe('interrupt');
  });

  it('follows what waits for the running cell, and tells nothing yet', async () => {
    const user = new FakeUser({ reset: go('wait') });
    await freeingFor(user).reset({ ...TARGET, isBusy: true });
    expect(waits).toEqual(['op']);
    expect(user.told[1]).toBeNull();
    expect(model.result).toBeNull();
  });

  it('calls off what waits', async () => {
    await freeingFor(new FakeUser()).cancel(TARGET);
    expect(server.cancelled).toBe(1);
  });

  it('asks again when a cell was started meanwhile', async () => {
    server.refusals.push('busy');
    const user = new FakeUser({ reset: go('interrupt') });
    await freeingFor(user).reset(TARGET);
    expect(user.questions.map(one => one.isBusy)).toEqual([false, true]);
    expect(server.asked).toHaveLength(2);
    expect(user.told[1]).toBeNull();
  });

  it('drops the GPU objects but for those that are kept', async () => {
    const user = new FakeUser({ keep: ['variable:model'] });
    await freeingFor(user).objects(TARGET);
    expect(server.asked).toEqual([
      { level: 'objects', keep: ['variable:model'] }
    ]);
  });

  it('goes from the reset to the objects when the user prefers that', async () => {
    const user = new FakeUser({ reset: { kind: 'objects' }, keep: [] });
    await freeingFor(user).reset(TARGET);
    expect(server.asked).toEqual([{ level: 'objects', keep: [] }]);
  });

  it('lists no objects while a cell runs, but can drop all of them after it', async () => {
    const user = new FakeUser({ busy: 'wait' });
    await freeingFor(user).objects({ ...TARGET, isBusy: true });
    expect(server.asked).toEqual([{ level: 'objects', when_busy: 'wait' }]);
  });

  it('drops one thing by its id', async () => {
    const user = new FakeUser({ remove: true });
    await freeingFor(user).remove(TARGET, { id: 'variable:x', path: 'x' });
    expect(server.asked).toEqual([{ level: 'objects', ids: ['variable:x'] }]);
  });

  it('drops nothing by name when a cell has been started since', async () => {
    server.refusals.push('busy');
    const user = new FakeUser({ remove: true, busy: 'interrupt' });
    await freeingFor(user).remove(TARGET, { id: 'variable:x', path: 'x' });
    expect(server.asked).toHaveLength(1);
    expect(model.result?.severity).toBe('warning');
  });

  it('does not interrupt a cell for the cache alone', async () => {
    server.refusals.push('busy');
    const user = new FakeUser();
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
    const user = new FakeUser({ reset: go('fail') });
    await freeingFor(user).reset(TARGET);
    expect(model.result?.severity).toBe('error');
    expect(model.result?.text).toMatch(/train\.ipynb|Jupyter Server/);
    expect(user.told).toHaveLength(2);
  });
});
