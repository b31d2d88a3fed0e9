import { DisposableDelegate, type IDisposable } from '@lumino/disposable';
import { type IPoll, Poll } from '@lumino/polling';
import { type ISignal, Signal } from '@lumino/signaling';
import { type Failure, failureOf } from './failure';
import { differInTimeOnly, shareOld } from './sharing';
import type { ITarget } from './target';
import type { IDecodedSnapshot } from './wire/decode';
import type { FreeReport } from './wire/schema';

const FIRST_INTERVAL_MS = 2000;
const SHORTEST_INTERVAL_MS = 250;
const LONGEST_INTERVAL_MS = 30_000;
const SLOW_FACTOR = 5;

/**
 * How often views are told that nothing but time has passed: "idle for 5 min" has to go on.
 */
export const TIME_STEP_MS = 30_000;

/**
 * What all views show: one poll for the page, and only while somebody looks.
 */
export class GpuMemModel implements IDisposable {
  constructor(options: GpuMemModel.IOptions) {
    const { source } = options;
    this._poll = new Poll<IDecodedSnapshot, Error, 'standby'>({
      auto: false,
      name: 'jupyterlab-gpumem:snapshot',
      factory: () => {
        this._isAsked = false;
        return source.snapshot();
      },
      frequency: this._frequency(),
      linger: 0,
      standby: () =>
        this._isAsked || this._watchers.size > 0 ? 'when-hidden' : true
    });
    this._poll.ticked.connect(this._onTicked, this);
    void this._poll.start();
  }

  /**
   * Emitted when the state or the result is another one.
   */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._poll.isDisposed;
  }

  get state(): GpuMemModel.State {
    return this._state;
  }

  /**
   * Until when the figures of the state before this one held, clock of the server; 0 if there was none.
   */
  get seenMs(): number {
    return this._seenMs;
  }

  /**
   * Outcome of the last cleanup, until it is put away.
   */
  get result(): GpuMemModel.IResult | null {
    return this._result;
  }
  set result(value: GpuMemModel.IResult | null) {
    this._result = value;
    this._changed.emit();
  }

  /**
   * Keep the figures coming until the handle is disposed.
   */
  watch(pace: GpuMemModel.Pace): IDisposable {
    const wasLive = this._isLive();
    const handle = new DisposableDelegate(() => {
      this._watchers.delete(handle);
      this._poll.frequency = this._frequency();
    });
    this._watchers.set(handle, pace);
    this._poll.frequency = this._frequency();
    if (!wasLive && pace === 'live') {
      void this.refresh();
    }
    return handle;
  }

  /**
   * Ask once now, watched or not; a hidden page asks when it is shown again.
   */
  async refresh(): Promise<void> {
    this._isAsked = true;
    await this._poll.refresh();
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this._poll.dispose();
    this._watchers.clear();
    Signal.clearData(this);
  }

  private _onTicked(
    _: IPoll<IDecodedSnapshot, Error, 'standby'>,
    tick: IPoll.State<IDecodedSnapshot, Error, 'standby'>
  ): void {
    const { payload } = tick;
    if (payload instanceof Error) {
      this._onFailure(failureOf(payload));
    } else if (payload) {
      this._onAnswer(payload);
    }
  }

  private _onAnswer(answer: IDecodedSnapshot): void {
    const known = this._state;
    const decoded = shareOld(lastOf(known), answer);
    if (known.kind === 'ready' && !isNews(known.decoded, decoded)) {
      this._seenMs = answer.snapshot.taken_at_ms;
      return;
    }
    this._state = { kind: 'ready', decoded };
    this._poll.frequency = this._frequency();
    this._changed.emit();
    this._seenMs = answer.snapshot.taken_at_ms;
  }

  private _onFailure(failure: Failure): void {
    const known = this._state;
    this._state = {
      kind: 'failed',
      failure,
      sinceMs: known.kind === 'failed' ? known.sinceMs : Date.now(),
      last: lastOf(known)
    };
    this._changed.emit();
  }

  private _isLive(): boolean {
    return [...this._watchers.values()].includes('live');
  }

  private _frequency(): IPoll.Frequency {
    const known = lastOf(this._state);
    const asked = known?.snapshot.interval_ms ?? FIRST_INTERVAL_MS;
    const base = Math.max(SHORTEST_INTERVAL_MS, asked);
    const interval = this._isLive() ? base : SLOW_FACTOR * base;
    const max = Math.max(LONGEST_INTERVAL_MS, interval);
    return { interval, backoff: true, max };
  }

  private _changed = new Signal<this, void>(this);
  private _isAsked = false;
  private _poll: Poll<IDecodedSnapshot, Error, 'standby'>;
  private _result: GpuMemModel.IResult | null = null;
  private _seenMs = 0;
  private _state: GpuMemModel.State = { kind: 'loading' };
  private _watchers = new Map<IDisposable, GpuMemModel.Pace>();
}

/**
 * Types of the model.
 */
export namespace GpuMemModel {
  /**
   * Where snapshots come from.
   */
  export interface ISource {
    snapshot(): Promise<IDecodedSnapshot>;
  }

  export interface IOptions {
    source: ISource;
  }

  /**
   * `live` as often as the server reads the devices, `slow` a fifth of that.
   */
  export type Pace = 'live' | 'slow';

  /**
   * What is known at the moment.
   */
  export type State =
    | { readonly kind: 'loading' }
    | { readonly kind: 'ready'; readonly decoded: IDecodedSnapshot }
    | {
        readonly kind: 'failed';
        readonly failure: Failure;
        /** When the first request in a row failed, clock of this page. */
        readonly sinceMs: number;
        /** What was known before; null when nothing ever was. */
        readonly last: IDecodedSnapshot | null;
      };

  /**
   * Outcome of a cleanup, in words.
   */
  export interface IResult {
    readonly severity: 'success' | 'warning' | 'error';
    readonly text: string;

    /**
     * The kernel whose restart is the way out; null when it is not.
     */
    readonly restartId: string | null;
    readonly target: ITarget;

    /**
     * Null when nothing was freed.
     */
    readonly report: FreeReport | null;
  }
}

function isNews(known: IDecodedSnapshot, decoded: IDecodedSnapshot): boolean {
  const passedMs = decoded.snapshot.taken_at_ms - known.snapshot.taken_at_ms;
  return !differInTimeOnly(known, decoded) || passedMs >= TIME_STEP_MS;
}

/**
 * The newest snapshot in a state, old or not.
 */
export function lastOf(state: GpuMemModel.State): IDecodedSnapshot | null {
  switch (state.kind) {
    case 'loading':
      return null;
    case 'ready':
      return state.decoded;
    case 'failed':
      return state.last;
  }
}
