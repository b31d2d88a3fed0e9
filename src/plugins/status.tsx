import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { IStatusBar } from '@jupyterlab/statusbar';
import { ITranslator } from '@jupyterlab/translation';
import { ReactWidget, UseSignal } from '@jupyterlab/ui-components';
import * as React from 'react';
import { Attention } from '../attention';
import { StatusItem } from '../components/status-item';
import { CommandIDs, DOMAIN, IGpuMem } from '../tokens';

/**
 * The fullest GPU in the status bar; Notebook has no status bar.
 */
const status: JupyterFrontEndPlugin<void> = {
  id: 'jupyterlab-gpumem:status',
  description: 'Shows the fullest GPU in the status bar.',
  autoStart: true,
  requires: [IGpuMem, ITranslator],
  optional: [IStatusBar],
  activate: (
    app: JupyterFrontEnd,
    { model, documents, preferences }: IGpuMem,
    translator: ITranslator,
    statusBar: IStatusBar | null
  ) => {
    if (!statusBar) {
      return;
    }
    const trans = translator.load(DOMAIN);
    const item = ReactWidget.create(
      <UseSignal signal={model.changed}>
        {() => (
          <StatusItem
            state={model.state}
            warnPercent={preferences.value.warnPercent}
            onClick={() => void app.commands.execute(CommandIDs.openPanel)}
            trans={trans}
          />
        )}
      </UseSignal>
    );
    preferences.changed.connect(() => item.update());
    const attention = new Attention({ documents, model });
    item.disposed.connect(() => attention.dispose());
    statusBar.registerStatusItem('jupyterlab-gpumem:status', {
      item,
      align: 'left',
      rank: 900
    });
  }
};

export default status;
