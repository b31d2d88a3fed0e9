import { holdingsOf, nameOf } from '../holdings';
import { type IShare, sharesOf } from '../shares';
import type { Device, Snapshot } from '../wire/schema';
import { snapshotOf } from './contract';

const CURRENT = '3f2b8c1e-1111-4a4a-8c8c-000000000001';

function gib(shares: readonly IShare[]): [string, number][] {
  return shares.map(share => [
    share.kind,
    Math.round((10 * share.bytes) / 2 ** 30) / 10
  ]);
}

function first(snapshot: Snapshot): Device {
  const [device] = snapshot.devices;
  if (!device) {
    throw new Error('the example has no device');
  }
  return device;
}

describe('the bar', () => {
  const two = snapshotOf('two-gpus').snapshot;

  it('divides what the current notebook holds and sums up the rest', () => {
    expect(gib(sharesOf(first(two), two.kernels, CURRENT))).toEqual([
      ['tensors', 11.9],
      ['cache', 1.8],
      ['context', 0.5],
      ['kernels', 6.3],
      ['processes', 2],
      ['driver', 0.6],
      ['free', 0.9]
    ]);
  });

  it('counts every kernel among "kernels" when no notebook is in front', () => {
    const shares = gib(sharesOf(first(two), two.kernels, null));
    expect(shares[0]).toEqual(['kernels', 20.5]);
  });

  it('shows what is not attributed apart from other processes', () => {
    const [, second] = two.devices;
    const shares = second ? gib(sharesOf(second, two.kernels, CURRENT)) : [];
    expect(shares).toContainEqual(['unattributed', 1.1]);
  });

  it('does not divide a notebook whose allocator has said nothing', () => {
    const host = snapshotOf('host-only').snapshot;
    expect(gib(sharesOf(first(host), host.kernels, CURRENT))).toEqual([
      ['unsplit', 1.7],
      ['processes', 4.7],
      ['free', 9.6]
    ]);
  });

  it('does not count a kernel twice that the driver tells no figure for', () => {
    const snapshot = snapshotOf('two-gpus').snapshot;
    const device = first(snapshot);
    const kernels = snapshot.kernels.map(kernel => ({
      ...kernel,
      devices: kernel.devices.map(figures => ({ ...figures, used_bytes: null }))
    }));
    const hidden = { ...device, unattributed_bytes: 20.5 * 2 ** 30 };
    const shares = sharesOf(hidden, kernels, CURRENT);
    const sum = shares.reduce((all, share) => all + share.bytes, 0);
    expect(sum).toBeLessThanOrEqual(device.memory.total_bytes ?? 0);
  });

  it('keeps the places of the notebook in front when it holds nothing', () => {
    const kernels = two.kernels.map(kernel => ({
      ...kernel,
      devices: kernel.devices.map(figures => ({
        ...figures,
        used_bytes: 0,
        allocated_bytes: 0,
        reserved_bytes: 0,
        context_bytes: 0
      }))
    }));
    const kinds = sharesOf(first(two), kernels, CURRENT).map(one => one.kind);
    expect(kinds.slice(0, 3)).toEqual(['tensors', 'cache', 'context']);
  });
});

describe('the kernels', () => {
  const { snapshot } = snapshotOf('two-gpus');

  it('are in order of memory, the current one first', () => {
    const order = holdingsOf(snapshot, '3f2b8c1e-3333-4a4a-8c8c-000000000003');
    expect(order.map(holding => nameOf(holding.kernel))).toEqual([
      'old.ipynb',
      'train.ipynb',
      'long_name_of_an_evaluation_run_2.ipynb',
      'stats.ipynb'
    ]);
  });

  it('hold nothing when every process is listed and they are not', () => {
    expect(holdingsOf(snapshot, null).at(-1)?.bytes).toBe(0);
  });

  it('hold an unknown amount when processes cannot be listed', () => {
    const none = snapshotOf('no-driver').snapshot;
    expect(holdingsOf(none, null)[0]?.bytes).toBeNull();
  });

  it('are measured in main memory only where there is no GPU', () => {
    const host = snapshotOf('host-only').snapshot;
    expect(holdingsOf(host, null)[0]?.parts[0]?.device.kind).toBe('host');
  });
});
