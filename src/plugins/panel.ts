import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { ITranslator } from '@jupyterlab/translation';
import { FreeMenu } from '../free-menu';
import { gaugeIcon } from '../icons';
import { GpuMemPanel } from '../panel';
import { CommandIDs, DOMAIN, IGpuMem } from '../tokens';

// Below the property inspector and the debugger, which JupyterLab puts first.
const RANK = 500;

/**
 * The panel in the right sidebar.
 */
const panel: JupyterFrontEndPlugin<void> = {
  id: 'jupyterlab-gpumem:panel',
  description: 'Shows who holds GPU memory, in the right sidebar.',
  autoStart: true,
  requires: [IGpuMem, ITranslator],
  optional: [ILayoutRestorer, ICommandPalette],
  activate: (
    app: JupyterFrontEnd,
    { model, documents }: IGpuMem,
    translator: ITranslator,
    restorer: ILayoutRestorer | null,
    palette: ICommandPalette | null
  ) => {
    const trans = translator.load(DOMAIN);
    const menu = new FreeMenu({ commands: app.commands });
    const widget = new GpuMemPanel({
      actions: {
        refresh: () => void model.refresh(),
        openFreeMenu: (kernel, anchor) => menu.open(kernel.id, anchor),
        dismissResult: () => {
          model.result = null;
        }
      },
      documents,
      model,
      trans
    });
    widget.disposed.connect(() => menu.dispose());
    app.shell.add(widget, 'right', { rank: RANK, type: 'GPU memory' });
    restorer?.add(widget, GpuMemPanel.ID);

    app.commands.addCommand(CommandIDs.openPanel, {
      label: trans.__('Show GPU Memory'),
      caption: trans.__('Show who holds GPU memory'),
      icon: gaugeIcon,
      describedBy: { args: { type: 'object', properties: {} } },
      execute: () => app.shell.activateById(GpuMemPanel.ID)
    });
    palette?.addItem({
      command: CommandIDs.openPanel,
      category: trans.__('GPU memory')
    });
  }
};

export default panel;
