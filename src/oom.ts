import type { IDisposable } from '@lumino/disposable';
import { Signal } from '@lumino/signaling';
import { nameOf } from './holdings';
import { type GpuMemModel, lastOf } from './model';
import type { Kernel, Snapshot } from './wire/schema';

// A page that is opened later shows the trouble in its panel; it is no news then.
const NEWS_MS = 60_000;
const REMEMBERED = 50;
const KEY = 'jupyterlab-gpumem:out-of-memory';

/**
 * Notices cells that ran out of memory, each once for all pages of this browser.
 */
export class OutOfMemory implements IDisposable {
  constructor(options: OutOfMemory.IOptions) {
    this._options = options;
    options.model.changed.connect(this._onChanged, this);
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this._isDisposed = true;
    Signal.clearData(this);
  }

  private _onChanged(): void {
    const { isOpen, isWanted, model, onNews } = this._options;
    const snapshot =
      model.state.kind === 'ready' ? lastOf(model.state)?.snapshot : null;
    if (!snapshot || !isWanted()) {
      return;
    }
    for (const kernel of snapshot.kernels) {
      if (
        isNews(kernel, snapshot) &&
        isOpen(kernel.id) &&
        this._isNew(kernel)
      ) {
        onNews(kernel, nameOf(kernel));
      }
    }
  }

  /** Whether nobody has been told of it; from now on somebody has. */
  private _isNew(kernel: Kernel): boolean {
    const { storage } = this._options;
    const key = `${kernel.id} ${kernel.last_cell?.began_ms}`;
    const told = storage.getItem(KEY)?.split('\n') ?? [];
    if (told.includes(key)) {
      return false;
    }
    storage.setItem(KEY, [...told, key].slice(-REMEMBERED).join('\n'));
    return true;
  }

  private _isDisposed = false;
  private readonly _options: OutOfMemory.IOptions;
}

/**
 * Types of the notice.
 */
export namespace OutOfMemory {
  export interface IOptions {
    /** Whether this page has a document of the kernel open. */
    isOpen: (kernelId: string) => boolean;
    isWanted: () => boolean;
    model: GpuMemModel;
    onNews: (kernel: Kernel, name: string) => void;
    storage: Pick<Storage, 'getItem' | 'setItem'>;
  }
}

function isNews(kernel: Kernel, snapshot: Snapshot): boolean {
  const cell = kernel.last_cell;
  const endedMs = cell ? cell.began_ms + cell.duration_ms : 0;
  return (
    (cell?.out_of_memory ?? false) && snapshot.taken_at_ms - endedMs < NEWS_MS
  );
}
