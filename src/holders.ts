import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import { type Failure, failureOf } from './failure';
import { type GpuMemModel, lastOf } from './model';
import type { Holders } from './wire/schema';

/**
 * Who holds the memory of each kernel, as far as the user has asked to see it.
 */
export class HolderLists implements IDisposable {
  constructor(options: HolderLists.IOptions) {
    this._options = options;
    options.model.changed.connect(this._onChanged, this);
  }

  /**
   * Emitted when a list has come, has failed to, or is opened or closed.
   */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /**
   * The list of a kernel; the same object as long as it stays as it is.
   */
  of(kernelId: string): HolderLists.State {
    return this._states.get(kernelId) ?? CLOSED;
  }

  /**
   * Open or close the list of a kernel.
   */
  async toggle(kernelId: string): Promise<void> {
    if (this.of(kernelId).kind === 'closed') {
      await this.scan(kernelId);
    } else {
      this._set(kernelId, CLOSED);
    }
  }

  /**
   * Ask the kernel anew, and open its list.
   */
  async scan(kernelId: string): Promise<void> {
    const known = this.of(kernelId);
    const last = known.kind === 'closed' ? null : known.last;
    const loading = { kind: 'loading', last } as const;
    this._set(kernelId, loading);
    const next = await this._ask(kernelId, last);
    // Closed meanwhile, or asked again: then another answer counts.
    if (!this.isDisposed && this.of(kernelId) === loading) {
      this._set(kernelId, next);
    }
  }

  /**
   * Fetch the holders and tensors after those that are there.
   */
  async more(kernelId: string): Promise<void> {
    const known = this.of(kernelId);
    if (known.kind !== 'ready') {
      return;
    }
    const { holders } = known.last;
    const offset = Math.max(holders.holders.length, holders.tensors.length);
    try {
      const page = await this._options.source.holders(kernelId, offset);
      if (this.of(kernelId) === known) {
        const last = { ...known.last, holders: joined(holders, page) };
        this._set(kernelId, { kind: 'ready', last });
      }
    } catch (error) {
      const failure = failureOf(error);
      this._set(kernelId, { kind: 'failed', failure, last: known.last });
    }
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._states.clear();
    Signal.clearData(this);
  }

  private async _ask(
    kernelId: string,
    last: HolderLists.IList | null
  ): Promise<HolderLists.State> {
    try {
      const holders = await this._options.source.holders(kernelId, 0);
      return { kind: 'ready', last: { holders, atMs: Date.now() } };
    } catch (error) {
      return { kind: 'failed', failure: failureOf(error), last };
    }
  }

  private _onChanged(): void {
    const { model } = this._options;
    const kernels = lastOf(model.state)?.snapshot.kernels ?? [];
    for (const kernelId of this._states.keys()) {
      if (!kernels.some(kernel => kernel.id === kernelId)) {
        this._states.delete(kernelId);
      }
    }
    const { result } = model;
    if (result?.report && result.report !== this._seen) {
      this._seen = result.report;
      this._rescan(result.target.kernelId);
    }
  }

  /** A list from before a cleanup offers to delete what is gone. */
  private _rescan(kernelId: string): void {
    if (this.of(kernelId).kind !== 'closed') {
      void this.scan(kernelId);
    }
  }

  private _set(kernelId: string, state: HolderLists.State): void {
    this._states.set(kernelId, state);
    this._changed.emit();
  }

  private _changed = new Signal<this, void>(this);
  private _isDisposed = false;
  private readonly _options: HolderLists.IOptions;
  private _seen: object | null = null;
  private _states = new Map<string, HolderLists.State>();
}

/**
 * Types of the lists.
 */
export namespace HolderLists {
  /**
   * Who asks the kernel.
   */
  export interface ISource {
    holders(kernelId: string, offset: number): Promise<Holders>;
  }

  export interface IOptions {
    model: GpuMemModel;
    source: ISource;
  }

  /**
   * What a kernel said, and when, clock of this page.
   */
  export interface IList {
    readonly holders: Holders;
    readonly atMs: number;
  }

  /**
   * What is known of the holders of a kernel.
   */
  export type State =
    | { readonly kind: 'closed' }
    | { readonly kind: 'loading'; readonly last: IList | null }
    | { readonly kind: 'ready'; readonly last: IList }
    | {
        readonly kind: 'failed';
        readonly failure: Failure;
        readonly last: IList | null;
      };
}

const CLOSED: HolderLists.State = { kind: 'closed' };

function joined(first: Holders, next: Holders): Holders {
  return {
    ...first,
    holders: [...first.holders, ...next.holders],
    tensors: [...first.tensors, ...next.tensors]
  };
}
