import type { TranslationBundle } from '@jupyterlab/translation';
import { ReactWidget } from '@jupyterlab/ui-components';
import type { IDisposable } from '@lumino/disposable';
import type { Message } from '@lumino/messaging';
import * as React from 'react';
import { type ITrack, TimelineView } from './components/timeline-view';
import type { FigureHistory } from './history';
import { gaugeIcon } from './icons';
import { type GpuMemModel, lastOf } from './model';
import type { Cell, Cells } from './wire/schema';
import { deviceTitle } from './words/devices';

/**
 * Memory of one kernel over time, as a widget of the main area; follows it while it can be seen.
 */
export class TimelinePage extends ReactWidget {
  constructor(options: TimelinePage.IOptions) {
    super();
    this._options = options;
    this.id = `jp-gpumem-timeline-${options.kernelId}`;
    this.addClass('jp-GpuMem-page');
    this.title.icon = gaugeIcon;
    this.title.label = options.trans.__('GPU memory: %1', options.name);
    this.title.closable = true;
    options.model.changed.connect(this._onChanged, this);
  }

  override dispose(): void {
    this._setWatched(false);
    super.dispose();
  }

  protected override onAfterAttach(msg: Message): void {
    super.onAfterAttach(msg);
    this._setWatched(this.isVisible);
  }

  protected override onAfterShow(msg: Message): void {
    super.onAfterShow(msg);
    this._setWatched(true);
    this.update();
  }

  protected override onAfterHide(msg: Message): void {
    super.onAfterHide(msg);
    this._setWatched(false);
  }

  protected override render(): React.ReactElement {
    const { name, onExport, onOpen, trans } = this._options;
    return (
      <TimelineView
        name={name}
        tracks={this._tracks()}
        cells={this._cells}
        onExport={onExport}
        onOpen={onOpen}
        trans={trans}
      />
    );
  }

  private _tracks(): ITrack[] {
    const { history, kernelId, model, trans } = this._options;
    const devices = lastOf(model.state)?.snapshot.devices ?? [];
    return devices
      .map(device => ({
        key: device.key,
        title: deviceTitle(device, trans),
        points: history.kernel(kernelId, device.key)
      }))
      .filter(track => track.points.length > 0);
  }

  private _setWatched(isWatched: boolean): void {
    if (isWatched && !this._watch) {
      this._watch = this._options.model.watch('live');
      void this._options.history.load().then(() => this.update());
      void this._loadCells();
    } else if (!isWatched) {
      this._watch?.dispose();
      this._watch = null;
    }
  }

  private _onChanged(): void {
    const { kernelId, model } = this._options;
    const kernels = lastOf(model.state)?.snapshot.kernels ?? [];
    const last = kernels.find(kernel => kernel.id === kernelId)?.last_cell;
    if (last && last.began_ms !== this._cells.at(-1)?.began_ms) {
      void this._loadCells();
    }
    if (this.isVisible) {
      this.update();
    }
  }

  private async _loadCells(): Promise<void> {
    const { kernelId, source } = this._options;
    // Without them there are the curves; the panel says what the server's trouble is.
    const answer = await source.cells(kernelId).catch(() => null);
    if (answer && !this.isDisposed) {
      this._cells = answer.cells;
      this.update();
    }
  }

  private _cells: readonly Cell[] = [];
  private readonly _options: TimelinePage.IOptions;
  private _watch: IDisposable | null = null;
}

/**
 * Types of the page.
 */
export namespace TimelinePage {
  export interface IOptions {
    history: FigureHistory;
    kernelId: string;
    model: GpuMemModel;
    name: string;
    onExport: (track: ITrack) => void;
    onOpen: (cell: Cell) => void;
    source: { cells(kernelId: string): Promise<Cells> };
    trans: TranslationBundle;
  }
}
