import { holdingOf } from './shares';
import type { Device, Kernel, KernelDevice, Snapshot } from './wire/schema';

/**
 * What one kernel holds on the GPUs, or in main memory where there is no GPU.
 */
export interface IHolding {
  readonly kernel: Kernel;
  readonly isCurrent: boolean;

  /**
   * Sum over the devices; null when it cannot be told.
   */
  readonly bytes: number | null;

  /**
   * The devices it has memory on, with the figures there.
   */
  readonly parts: readonly IPart[];
}

/**
 * The figures of a kernel on one device.
 */
export interface IPart {
  readonly device: Device;
  readonly figures: KernelDevice;
}

/**
 * The kernels in the order of the panel: the current one first, then by memory, then by name.
 */
export function holdingsOf(
  snapshot: Snapshot,
  currentId: string | null
): readonly IHolding[] {
  return snapshot.kernels
    .map(kernel => holdingIn(snapshot, kernel, currentId))
    .sort(
      (a, b) =>
        Number(b.isCurrent) - Number(a.isCurrent) ||
        (b.bytes ?? -1) - (a.bytes ?? -1) ||
        nameOf(a.kernel).localeCompare(nameOf(b.kernel)) ||
        a.kernel.id.localeCompare(b.kernel.id)
    );
}

/**
 * The name a person knows a kernel by.
 */
export function nameOf(kernel: Kernel): string {
  return kernel.document_name ?? kernel.path ?? kernel.name;
}

/**
 * Whether a cell runs in the kernel, as far as the server knows.
 */
export function isBusy(kernel: Kernel): boolean {
  return kernel.execution_state === 'busy';
}

function holdingIn(
  snapshot: Snapshot,
  kernel: Kernel,
  currentId: string | null
): IHolding {
  const gpus = snapshot.devices.filter(device => device.kind !== 'host');
  const shown = gpus.length > 0 ? gpus : snapshot.devices;
  const parts = shown.flatMap(device =>
    kernel.devices
      .filter(figures => figures.key === device.key)
      .map(figures => ({ device, figures }))
  );
  const known = parts.map(part => holdingOf(part.figures));
  return {
    kernel,
    isCurrent: kernel.id === currentId,
    bytes: known.length > 0 ? sumOf(known) : absent(shown),
    parts
  };
}

/**
 * What "no figures" means: nothing where the processes of every device are listed, else not known.
 */
function absent(devices: readonly Device[]): number | null {
  const allListed = devices.every(device => device.processes !== null);
  return devices.length > 0 && allListed ? 0 : null;
}

function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter(value => value !== null);
  return known.length > 0 ? known.reduce((all, value) => all + value, 0) : null;
}
