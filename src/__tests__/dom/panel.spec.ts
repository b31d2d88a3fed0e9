import { MessageLoop } from '@lumino/messaging';
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';
import { Documents } from '../../documents';
import { FigureHistory } from '../../history';
import { HolderLists } from '../../holders';
import { GpuMemModel } from '../../model';
import { GpuMemPanel } from '../../panel';
import { Preferences } from '../../preferences';
import type { IDecodedSnapshot } from '../../wire/decode';
import { snapshotOf } from '../contract';
import { FakeServer as FakeKernels } from '../fake-freeing';
import { trans } from '../trans';
import { FakeActions } from './fake-actions';

class CountingPanel extends GpuMemPanel {
  renders = 0;

  protected override render(): React.ReactElement {
    this.renders++;
    return super.render();
  }
}

class FakeServer extends FakeKernels {
  usedBytes: number | null = null;
  private readonly _startMs = Date.now();

  /** As the server does: a new time and new ages with each answer, whatever else is new. */
  override snapshot(): Promise<IDecodedSnapshot> {
    this.snapshots++;
    const { snapshot, problems } = snapshotOf('two-gpus');
    const passedMs = Date.now() - this._startMs;
    const devices = snapshot.devices.map(one => ({
      ...one,
      age_ms: passedMs,
      memory: {
        ...one.memory,
        used_bytes: this.usedBytes ?? one.memory.used_bytes
      }
    }));
    const taken_at_ms = snapshot.taken_at_ms + passedMs;
    return Promise.resolve({
      problems,
      snapshot: { ...snapshot, taken_at_ms, devices }
    });
  }

  history(): Promise<never> {
    return Promise.reject(new Error('nothing kept'));
  }
}

describe('the panel as a widget', () => {
  let server: FakeServer;
  let model: GpuMemModel;
  let panel: CountingPanel;

  const pass = async (ms: number): Promise<void> => {
    await jest.advanceTimersByTimeAsync(ms);
    MessageLoop.flush();
  };

  beforeEach(async () => {
    jest.useFakeTimers();
    server = new FakeServer();
    model = new GpuMemModel({ source: server });
    panel = new CountingPanel({
      actions: new FakeActions(),
      documents: new Documents({ trackers: [] }),
      history: new FigureHistory({ model, source: server }),
      holders: new HolderLists({ model, source: server }),
      model,
      preferences: new Preferences(),
      trans
    });
    Widget.attach(panel, document.body);
    await pass(5000);
  });

  afterEach(() => {
    panel.dispose();
    Signal.clearData(panel);
    model.dispose();
    jest.useRealTimers();
  });

  it('asks for figures while it can be seen, and not else', async () => {
    expect(server.snapshots).toBeGreaterThan(2);
    panel.hide();
    const before = server.snapshots;
    await pass(60_000);
    expect(server.snapshots).toBe(before);
  });

  it('draws nothing anew when nothing has changed', async () => {
    const renders = panel.renders;
    const polls = server.snapshots;
    await pass(20_000);
    expect(server.snapshots - polls).toBeGreaterThan(15);
    expect(panel.renders).toBe(renders);
  });

  it('draws once when a figure has changed', async () => {
    const renders = panel.renders;
    server.usedBytes = 2 ** 30;
    await pass(1500);
    expect(panel.renders).toBe(renders + 1);
    expect(panel.node.textContent).toContain('1.0 / 24.0');
  });
});
