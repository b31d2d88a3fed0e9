import type { ISessionContext } from '@jupyterlab/apputils';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import type { Documents } from './documents';
import { isBusy, nameOf } from './holdings';
import { type GpuMemModel, lastOf } from './model';

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
  readonly isBusy: boolean;
}

/**
 * Find the kernel that a command's arguments name, else that of the document in front; null when there is none.
 */
export function targetOf(
  args: ReadonlyPartialJSONObject,
  documents: Documents,
  model: GpuMemModel
): ITarget | null {
  const { current } = documents;
  const { kernelId } = args;
  if (typeof kernelId !== 'string' || kernelId === documents.currentKernelId) {
    return current && ofSession(current);
  }
  const kernels = lastOf(model.state)?.snapshot.kernels ?? [];
  const kernel = kernels.find(one => one.id === kernelId);
  return kernel
    ? {
        kernelId,
        name: nameOf(kernel),
        kernelName: kernel.name,
        isBusy: isBusy(kernel)
      }
    : null;
}

function ofSession(context: ISessionContext): ITarget | null {
  const kernel = context.session?.kernel;
  if (!kernel) {
    return null;
  }
  return {
    kernelId: kernel.id,
    name: context.name,
    kernelName: context.kernelDisplayName,
    isBusy: kernel.status === 'busy'
  };
}
