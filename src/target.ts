import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import type { Documents } from './documents';
import { isBusy, nameOf } from './holdings';
import { type GpuMemModel, lastOf } from './model';
import type { Kernel } from './wire/schema';

/**
 * The kernel a command is meant for.
 */
export interface ITarget {
  readonly kernelId: string;

  /**
   * Name of its notebook or console.
   */
  readonly name: string;
  readonly kernelName: string;

  /**
   * Path of its notebook or console; null when the server knows none.
   */
  readonly path: string | null;
  readonly isBusy: boolean;

  /**
   * GPU memory its allocator has taken; null when that is not known.
   */
  readonly reservedBytes: number | null;
}

/**
 * Arguments of the commands that act on a kernel.
 */
export const KERNEL_ARGS = {
  type: 'object',
  properties: {
    kernelId: {
      type: 'string',
      description:
        'Id of the kernel; that of the notebook in front if left out.'
    }
  }
} as const;

/**
 * Find the kernel that a command's arguments name, else that of the document in front; null when there is none.
 */
export function targetOf(
  args: ReadonlyPartialJSONObject,
  documents: Documents,
  model: GpuMemModel
): ITarget | null {
  const session = documents.current;
  const frontId = documents.currentKernelId;
  const kernelId = typeof args.kernelId === 'string' ? args.kernelId : frontId;
  const kernels = lastOf(model.state)?.snapshot.kernels ?? [];
  const kernel = kernels.find(one => one.id === kernelId) ?? null;
  const reservedBytes = kernel && reservedOf(kernel);
  // The page hears of the kernel in front at once, of the others at the next poll.
  if (kernelId !== null && kernelId === frontId && session) {
    return {
      kernelId,
      name: session.name,
      kernelName: session.kernelDisplayName,
      path: kernel?.path ?? null,
      isBusy: session.session?.kernel?.status === 'busy',
      reservedBytes
    };
  }
  return (
    kernel && {
      kernelId: kernel.id,
      name: nameOf(kernel),
      kernelName: kernel.display_name ?? kernel.name,
      path: kernel.path,
      isBusy: isBusy(kernel),
      reservedBytes
    }
  );
}

function reservedOf(kernel: Kernel): number | null {
  const known = kernel.devices
    .map(figures => figures.reserved_bytes)
    .filter(bytes => bytes !== null);
  return known.length > 0 ? known.reduce((all, bytes) => all + bytes, 0) : null;
}
