import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';
import { type GpuMemModel, lastOf } from './model';
import type { History, Kernel, KernelDevice, Snapshot } from './wire/schema';

// As long as the server keeps its figures by default.
const KEPT_MS = 15 * 60_000;
const KEPT_CELLS = 200;
const NO_CELLS: readonly ISpan[] = [];

/**
 * A moment, and sizes at it; an unknown one is null.
 */
export interface IPoint {
  readonly atMs: number;
  readonly sizes: readonly (number | null)[];
}

/**
 * A time from when to when.
 */
export interface ISpan {
  readonly beganMs: number;
  readonly endedMs: number;
}

/**
 * The figures of the last minutes: what the server has kept, and what has come since.
 */
export class FigureHistory implements IDisposable {
  constructor(options: FigureHistory.IOptions) {
    this._options = options;
    options.model.changed.connect(this._onChanged, this);
  }

  /**
   * Emitted when the server's figures have come; later ones come with the model's.
   */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  /**
   * Used memory of a device, oldest first.
   */
  device(key: string): readonly IPoint[] {
    return this._series.get(deviceSeries(key)) ?? [];
  }

  /**
   * Used, allocated and reserved memory of a kernel on a device, oldest first.
   */
  kernel(id: string, key: string): readonly IPoint[] {
    return this._series.get(kernelSeries(id, key)) ?? [];
  }

  /**
   * When cells of a kernel ran, as far as this page has seen them end.
   */
  cells(kernelId: string): readonly ISpan[] {
    return this._cells.get(kernelId) ?? NO_CELLS;
  }

  /**
   * Ask the server for what it has kept: needed when nobody has looked for a while.
   */
  async load(): Promise<void> {
    try {
      this._take(await this._options.source.history());
    } catch {
      // The snapshot meets the same trouble, and the panel says so; a sparkline that begins now is no loss.
      return;
    }
    if (!this.isDisposed) {
      this._changed.emit();
    }
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this._isDisposed = true;
    this._series.clear();
    Signal.clearData(this);
  }

  private _take(history: History): void {
    this._series.clear();
    for (const { key, points } of history.devices) {
      this._series.set(deviceSeries(key), points.map(pointOf));
    }
    for (const { id, key, points } of history.kernels) {
      this._series.set(kernelSeries(id, key), points.map(pointOf));
    }
  }

  private _onChanged(): void {
    const { state, seenMs } = this._options.model;
    const snapshot = state.kind === 'ready' ? lastOf(state)?.snapshot : null;
    if (!snapshot || snapshot.taken_at_ms <= this._takenAtMs) {
      return;
    }
    this._takenAtMs = snapshot.taken_at_ms;
    snapshot.kernels.forEach(kernel => this._noteCell(kernel));
    const present = new Map(sizesIn(snapshot));
    for (const [name, sizes] of present) {
      this._append(name, { atMs: snapshot.taken_at_ms, sizes }, seenMs);
    }
    for (const name of this._series.keys()) {
      if (!present.has(name)) {
        this._series.delete(name);
      }
    }
  }

  private _noteCell({ id, last_cell }: Kernel): void {
    const known = this.cells(id);
    if (last_cell && known.at(-1)?.beganMs !== last_cell.began_ms) {
      const { began_ms: beganMs, duration_ms } = last_cell;
      const cells = [...known, { beganMs, endedMs: beganMs + duration_ms }];
      this._cells.set(id, cells.slice(-KEPT_CELLS));
    }
  }

  private _append(name: string, point: IPoint, seenMs: number): void {
    const known = this._series.get(name) ?? [];
    const last = known.at(-1);
    // The model is silent while nothing changes: the figure held until it spoke again.
    const held =
      last && seenMs > last.atMs && seenMs < point.atMs
        ? [{ atMs: seenMs, sizes: last.sizes }]
        : [];
    const points = [...known, ...held, point];
    this._series.set(
      name,
      points.filter(one => one.atMs >= point.atMs - KEPT_MS)
    );
  }

  private _cells = new Map<string, readonly ISpan[]>();
  private _changed = new Signal<this, void>(this);
  private _isDisposed = false;
  private readonly _options: FigureHistory.IOptions;
  private _series = new Map<string, readonly IPoint[]>();
  private _takenAtMs = 0;
}

/**
 * Types of the history.
 */
export namespace FigureHistory {
  /**
   * Where the server's figures come from.
   */
  export interface ISource {
    history(): Promise<History>;
  }

  export interface IOptions {
    model: GpuMemModel;
    source: ISource;
  }
}

function* sizesIn(snapshot: Snapshot): Generator<[string, (number | null)[]]> {
  for (const device of snapshot.devices) {
    yield [deviceSeries(device.key), [device.memory.used_bytes]];
  }
  for (const kernel of snapshot.kernels) {
    for (const figures of kernel.devices) {
      yield [kernelSeries(kernel.id, figures.key), kernelSizes(figures)];
    }
  }
}

function kernelSizes(figures: KernelDevice): (number | null)[] {
  const { used_bytes, allocated_bytes, reserved_bytes } = figures;
  return [used_bytes, allocated_bytes, reserved_bytes];
}

function pointOf(values: readonly (number | null)[]): IPoint {
  const [atMs, ...sizes] = values;
  return { atMs: atMs ?? 0, sizes };
}

function deviceSeries(key: string): string {
  return `device ${key}`;
}

function kernelSeries(id: string, key: string): string {
  return `kernel ${id} ${key}`;
}
