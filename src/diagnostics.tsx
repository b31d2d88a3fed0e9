import { Clipboard } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import { ReactWidget } from '@jupyterlab/ui-components';
import * as React from 'react';
import {
  type DiagnosticsState,
  DiagnosticsView
} from './components/diagnostics-view';
import { failureOf } from './failure';
import { gaugeIcon } from './icons';
import type { Diagnostics } from './wire/schema';

/**
 * The server's checks as a widget of the main area; asks when it is opened and when told to.
 */
export class DiagnosticsPage extends ReactWidget {
  constructor(options: DiagnosticsPage.IOptions) {
    super();
    this._options = options;
    this.id = DiagnosticsPage.ID;
    this.addClass('jp-GpuMem-page');
    this.title.icon = gaugeIcon;
    this.title.label = options.trans.__('GPU diagnostics');
    this.title.closable = true;
    void this.load();
  }

  /**
   * Ask the server anew.
   */
  async load(): Promise<void> {
    this._set({ kind: 'loading' });
    try {
      const diagnostics = await this._options.source.diagnostics();
      this._set({ kind: 'ready', diagnostics });
    } catch (error) {
      this._set({ kind: 'failed', failure: failureOf(error) });
    }
  }

  protected override render(): React.ReactElement {
    return (
      <DiagnosticsView
        state={this._state}
        onReload={() => void this.load()}
        onCopy={text => Clipboard.copyToSystem(text)}
        trans={this._options.trans}
      />
    );
  }

  private _set(state: DiagnosticsState): void {
    if (!this.isDisposed) {
      this._state = state;
      this.update();
    }
  }

  private readonly _options: DiagnosticsPage.IOptions;
  private _state: DiagnosticsState = { kind: 'loading' };
}

/**
 * Types of the page.
 */
export namespace DiagnosticsPage {
  export const ID = 'jp-gpumem-diagnostics';

  export interface IOptions {
    source: { diagnostics(): Promise<Diagnostics> };
    trans: TranslationBundle;
  }
}
