import type { Device, Kernel, KernelDevice } from './wire/schema';

/**
 * What a part of a device's memory is used for. The first four belong to the current notebook.
 */
export type ShareKind =
  | 'tensors'
  | 'cache'
  | 'context'
  | 'unsplit'
  | 'kernels'
  | 'processes'
  | 'unattributed'
  | 'driver'
  | 'free';

/**
 * One part of the bar of a device.
 */
export interface IShare {
  readonly kind: ShareKind;
  readonly bytes: number;
}

/**
 * Divide a device's memory among its holders, in the order of the bar.
 */
export function sharesOf(
  device: Device,
  kernels: readonly Kernel[],
  currentId: string | null
): readonly IShare[] {
  const { memory } = device;
  const own = kernels
    .filter(kernel => kernel.id === currentId)
    .flatMap(kernel => on(device, kernel));
  const others = kernels
    .filter(kernel => kernel.id !== currentId)
    .flatMap(kernel => on(device, kernel));
  const shares: IShare[] = own.flatMap(ownShares);
  shares.push({ kind: 'kernels', bytes: sum(others.map(heldBytes)) });
  if (device.kind !== 'host') {
    shares.push({ kind: 'processes', bytes: device.other_bytes ?? 0 });
  }
  // A kernel whose share the driver does not tell is among what no process accounts for: count it once.
  const rest = Math.max(0, (memory.used_bytes ?? 0) - total(shares));
  const unattributed = Math.min(device.unattributed_bytes ?? rest, rest);
  // Nobody lists all programs of a computer, but what else should hold its memory?
  const kind = device.kind === 'host' ? 'processes' : 'unattributed';
  shares.push({ kind, bytes: unattributed });
  shares.push({ kind: 'driver', bytes: memory.reserved_bytes ?? 0 });
  const capacity = memory.total_bytes ?? 0;
  const free = memory.free_bytes ?? capacity - total(shares);
  shares.push({ kind: 'free', bytes: Math.max(0, free) });
  return shares.filter(share => share.bytes > 0 || isSteady(share.kind, own));
}

/**
 * Bytes a kernel holds on a device: the driver's figure, else what the allocator took; null if neither is known.
 */
export function holdingOf(figures: KernelDevice): number | null {
  return figures.used_bytes ?? figures.reserved_bytes;
}

function ownShares(figures: KernelDevice): IShare[] {
  const { allocated_bytes, reserved_bytes, context_bytes } = figures;
  if (allocated_bytes === null || reserved_bytes === null) {
    return [{ kind: 'unsplit', bytes: heldBytes(figures) }];
  }
  const shares: IShare[] = [
    { kind: 'tensors', bytes: allocated_bytes },
    { kind: 'cache', bytes: Math.max(0, reserved_bytes - allocated_bytes) }
  ];
  return context_bytes === null
    ? shares
    : [...shares, { kind: 'context', bytes: context_bytes }];
}

/**
 * Whether a part keeps its place in the legend at 0, so that the figures below it stay where they are.
 */
function isSteady(kind: ShareKind, own: readonly KernelDevice[]): boolean {
  switch (kind) {
    case 'free':
      return true;
    case 'tensors':
    case 'cache':
    case 'context':
    case 'unsplit':
      return own.length > 0;
    case 'kernels':
    case 'processes':
    case 'unattributed':
    case 'driver':
      return false;
  }
}

function on(device: Device, kernel: Kernel): KernelDevice[] {
  return kernel.devices.filter(figures => figures.key === device.key);
}

function heldBytes(figures: KernelDevice): number {
  return holdingOf(figures) ?? 0;
}

function total(shares: readonly IShare[]): number {
  return sum(shares.map(share => share.bytes));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
