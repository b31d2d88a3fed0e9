import { Token } from '@lumino/coreutils';
import type { GpuMemClient } from './api';
import type { Documents } from './documents';
import type { FigureHistory } from './history';
import type { HolderLists } from './holders';
import type { GpuMemModel } from './model';
import type { Preferences } from './preferences';

/**
 * What all plugins of this extension share.
 */
export interface IGpuMem {
  readonly client: GpuMemClient;
  readonly documents: Documents;
  readonly history: FigureHistory;
  readonly holders: HolderLists;
  readonly model: GpuMemModel;
  readonly preferences: Preferences;
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
  showHolders: 'gpumem:show-holders',
  reset: 'gpumem:reset',
  freeObjects: 'gpumem:free-objects',
  freeCache: 'gpumem:free-cache',
  cancelFree: 'gpumem:cancel-free',
  remove: 'gpumem:delete-holder',
  interrupt: 'gpumem:interrupt-kernel',
  restart: 'gpumem:restart-kernel',
  shutDown: 'gpumem:shut-down-kernel',
  openDocument: 'gpumem:open-document',
  timeline: 'gpumem:show-timeline',
  diagnostics: 'gpumem:diagnostics',
  openSettings: 'gpumem:open-settings'
} as const;

/**
 * Translation domain.
 */
export const DOMAIN = 'jupyterlab_gpumem';
