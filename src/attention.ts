import type { IDisposable } from '@lumino/disposable';
import { Debouncer } from '@lumino/polling';
import { type ISignal, Signal } from '@lumino/signaling';
import type { GpuMemModel } from './model';

// Long enough for "Run All Cells" to be one refresh, short enough to be felt as at once.
const SETTLE_MS = 250;

/**
 * Keeps the figures of the status bar right at little cost: slowly while a cell of this page runs, once
 * when it has ended or another document comes to the front, and never on an idle page.
 */
export class Attention implements IDisposable {
  constructor(options: Attention.IOptions) {
    this._model = options.model;
    this._refresh = new Debouncer(() => this._model.refresh(), SETTLE_MS);
    this._kernelId = options.documents.currentKernelId;
    options.documents.busyChanged.connect(this._onBusyChanged, this);
    options.documents.changed.connect(this._onChanged, this);
    this._onBusyChanged(options.documents, options.documents.isBusy);
    void this._refresh.invoke();
  }

  get isDisposed(): boolean {
    return this._refresh.isDisposed;
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this._watch?.dispose();
    this._refresh.dispose();
    Signal.clearData(this);
  }

  private _onBusyChanged(_: unknown, isBusy: boolean): void {
    if (isBusy) {
      this._watch ??= this._model.watch('slow');
    } else if (this._watch) {
      this._watch.dispose();
      this._watch = null;
      void this._refresh.invoke();
    }
  }

  private _onChanged(documents: Attention.IDocuments): void {
    if (documents.currentKernelId !== this._kernelId) {
      this._kernelId = documents.currentKernelId;
      void this._refresh.invoke();
    }
  }

  private _kernelId: string | null;
  private readonly _model: GpuMemModel;
  private readonly _refresh: Debouncer;
  private _watch: IDisposable | null = null;
}

/**
 * Types of the attention.
 */
export namespace Attention {
  /**
   * The documents of the page, as far as they matter here.
   */
  export interface IDocuments {
    readonly busyChanged: ISignal<IDocuments, boolean>;
    readonly changed: ISignal<IDocuments, void>;
    readonly currentKernelId: string | null;
    readonly isBusy: boolean;
  }

  export interface IOptions {
    documents: IDocuments;
    model: GpuMemModel;
  }
}
