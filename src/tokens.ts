import { Token } from '@lumino/coreutils';
import type { GpuMemClient } from './api';
import type { Documents } from './documents';
import type { GpuMemModel } from './model';

/**
 * What all plugins of this extension share.
 */
export interface IGpuMem {
  readonly client: GpuMemClient;
  readonly documents: Documents;
  readonly model: GpuMemModel;
}

/**
 * Token of what all plugins of this extension share.
 */
export const IGpuMem = new Token<IGpuMem>(
  'jupyterlab-gpumem:IGpuMem',
  'GPU memory figures of this server, polled while something shows them.'
);

/**
 * Ids of the commands.
 */
export const CommandIDs = {
  openPanel: 'gpumem:open-panel',
  reset: 'gpumem:reset',
  freeCache: 'gpumem:free-cache'
} as const;

/**
 * Translation domain.
 */
export const DOMAIN = 'jupyterlab_gpumem';
