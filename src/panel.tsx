import type { TranslationBundle } from '@jupyterlab/translation';
import { ReactWidget } from '@jupyterlab/ui-components';
import type { IDisposable } from '@lumino/disposable';
import type { Message } from '@lumino/messaging';
import * as React from 'react';
import type { IPanelActions } from './components/actions';
import { PanelView } from './components/panel-view';
import type { Documents } from './documents';
import type { FigureHistory } from './history';
import type { HolderLists } from './holders';
import { gaugeIcon } from './icons';
import type { GpuMemModel } from './model';
import type { Preferences } from './preferences';

/**
 * The panel as a widget: asks for figures as long as it can be seen, and not else.
 */
export class GpuMemPanel extends ReactWidget {
  constructor(options: GpuMemPanel.IOptions) {
    super();
    this._options = options;
    this.id = GpuMemPanel.ID;
    this.addClass('jp-GpuMem-panel');
    this.title.icon = gaugeIcon;
    this.title.caption = options.trans.__('GPU memory');
    options.model.changed.connect(this._onChanged, this);
    options.documents.changed.connect(this._onChanged, this);
    options.history.changed.connect(this._onChanged, this);
    options.holders.changed.connect(this._onChanged, this);
    options.preferences.changed.connect(this._onChanged, this);
  }

  /**
   * Bring the row of a kernel into view.
   */
  reveal(kernelId: string): void {
    const rows = this.node.querySelectorAll<HTMLElement>('[data-kernel]');
    [...rows]
      .find(row => row.dataset.kernel === kernelId)
      ?.scrollIntoView({ block: 'nearest' });
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
    this._setWatched(this.isVisible);
    this.update();
  }

  protected override onAfterHide(msg: Message): void {
    super.onAfterHide(msg);
    this._setWatched(false);
  }

  protected override onBeforeDetach(msg: Message): void {
    this._setWatched(false);
    super.onBeforeDetach(msg);
  }

  protected override render(): React.ReactElement {
    const { model, documents, preferences } = this._options;
    return (
      <PanelView
        {...this._options}
        state={model.state}
        result={model.result}
        currentId={documents.currentKernelId}
        preferences={preferences.value}
      />
    );
  }

  private _setWatched(isWatched: boolean): void {
    if (isWatched && !this._watch) {
      const { model, history } = this._options;
      this._watch = model.watch('live');
      void history.load();
    } else if (!isWatched) {
      this._watch?.dispose();
      this._watch = null;
    }
  }

  private _onChanged(): void {
    if (this.isVisible) {
      this.update();
    }
  }

  private readonly _options: GpuMemPanel.IOptions;
  private _watch: IDisposable | null = null;
}

/**
 * Types of the panel.
 */
export namespace GpuMemPanel {
  export const ID = 'jp-gpumem-panel';

  export interface IOptions {
    actions: IPanelActions;
    documents: Documents;
    history: FigureHistory;
    holders: HolderLists;
    model: GpuMemModel;
    preferences: Preferences;
    trans: TranslationBundle;
  }
}
