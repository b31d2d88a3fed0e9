import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

/**
 * The documents of this page that have a kernel: which one is in front, and whether any runs a cell.
 */
export class Documents implements IDisposable {
  constructor(options: Documents.IOptions) {
    this._trackers = options.trackers;
    for (const tracker of this._trackers) {
      tracker.forEach(document => this._add(document));
      tracker.widgetAdded.connect(this._onAdded, this);
      tracker.currentChanged.connect(this._onCurrentChanged, this);
    }
    this._current =
      this._trackers.find(tracker => tracker.currentWidget)?.currentWidget ??
      null;
  }

  /**
   * Emitted when another document is in front, or the one in front has another kernel or status.
   */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  /**
   * Emitted when the first cell starts or the last one ends.
   */
  get busyChanged(): ISignal<this, boolean> {
    return this._busyChanged;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  get isBusy(): boolean {
    return this._isBusy;
  }

  /**
   * Session of the document in front; null when there is none.
   */
  get current(): Documents.ISession | null {
    const document = this._current;
    return document && !document.isDisposed ? document.sessionContext : null;
  }

  /**
   * Id of the kernel of the document in front; null when there is none.
   */
  get currentKernelId(): string | null {
    return this.current?.session?.kernel?.id ?? null;
  }

  /**
   * An open document with this kernel; null when there is none.
   */
  documentOf(kernelId: string): Documents.IDocument | null {
    const found = [...this._documents].find(
      document => document.sessionContext.session?.kernel?.id === kernelId
    );
    return found ?? null;
  }

  /**
   * Session of an open document with this kernel; null when there is none.
   */
  sessionOf(kernelId: string): Documents.ISession | null {
    return this.documentOf(kernelId)?.sessionContext ?? null;
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._documents.clear();
    this._current = null;
    Signal.clearData(this);
  }

  private _add(document: Documents.IDocument): void {
    this._documents.add(document);
    document.disposed.connect(this._onDocumentDisposed, this);
    document.sessionContext.statusChanged.connect(this._onStatus, this);
    document.sessionContext.kernelChanged.connect(this._onStatus, this);
  }

  private _onAdded(_: unknown, document: Documents.IDocument): void {
    this._add(document);
  }

  private _onDocumentDisposed(gone: unknown): void {
    for (const document of this._documents) {
      if (document === gone) {
        this._documents.delete(document);
      }
    }
    this._onStatus();
  }

  private _onCurrentChanged(
    _: unknown,
    document: Documents.IDocument | null
  ): void {
    const other = this._trackers.find(one => one.currentWidget)?.currentWidget;
    this._current = document ?? other ?? null;
    this._changed.emit();
  }

  private _onStatus(): void {
    const isBusy = [...this._documents].some(
      document => document.sessionContext.session?.kernel?.status === 'busy'
    );
    if (isBusy !== this._isBusy) {
      this._isBusy = isBusy;
      this._busyChanged.emit(isBusy);
    }
    this._changed.emit();
  }

  private _busyChanged = new Signal<this, boolean>(this);
  private _changed = new Signal<this, void>(this);
  private _current: Documents.IDocument | null;
  private _documents = new Set<Documents.IDocument>();
  private _isBusy = false;
  private _isDisposed = false;
  private readonly _trackers: readonly Documents.ITracker[];
}

/**
 * Types of the documents.
 */
export namespace Documents {
  /**
   * A session of JupyterLab, as far as it matters here.
   */
  export interface ISession {
    readonly name: string;
    readonly kernelDisplayName: string;
    readonly kernelChanged: ISignal<unknown, unknown>;
    readonly statusChanged: ISignal<unknown, unknown>;
    readonly session: {
      readonly kernel: IKernel | null;
    } | null;
  }

  /**
   * A kernel that this page is connected to.
   */
  export interface IKernel {
    readonly id: string;
    readonly status: string;
    restart(): Promise<void>;
  }

  /**
   * A notebook or console.
   */
  export interface IDocument {
    readonly id: string;
    readonly disposed: ISignal<unknown, unknown>;
    readonly isDisposed: boolean;
    readonly sessionContext: ISession;
  }

  /**
   * JupyterLab's list of the open notebooks, or consoles.
   */
  export interface ITracker {
    readonly currentChanged: ISignal<unknown, IDocument | null>;
    readonly currentWidget: IDocument | null;
    readonly widgetAdded: ISignal<unknown, IDocument>;
    forEach(visit: (document: IDocument) => void): void;
  }

  export interface IOptions {
    trackers: readonly ITracker[];
  }
}
