import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { ITranslator } from '@jupyterlab/translation';
import type { CommandRegistry } from '@lumino/commands';
import { Menu } from '@lumino/widgets';
import { gaugeIcon } from '../icons';
import { GpuMemPanel } from '../panel';
import { CommandIDs, DOMAIN, IGpuMem } from '../tokens';
import type { Kernel } from '../wire/schema';

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
    const widget = new GpuMemPanel({
      actions: {
        refresh: () => void model.refresh(),
        openFreeMenu: (kernel, anchor) =>
          openFreeMenu(app.commands, kernel, anchor),
        dismissResult: () => {
          model.result = null;
        }
      },
      documents,
      model,
      trans
    });
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

/**
 * Open the menu of a kernel's "Free" button below it, and give the focus back to the button afterwards.
 */
function openFreeMenu(
  commands: CommandRegistry,
  kernel: Kernel,
  anchor: HTMLElement
): void {
  const menu = new Menu({ commands });
  const args = { kernelId: kernel.id };
  menu.addItem({ command: CommandIDs.freeCache, args });
  menu.addItem({ command: CommandIDs.reset, args });
  menu.aboutToClose.connect(() => anchor.focus());
  const { left, bottom } = anchor.getBoundingClientRect();
  menu.open(left, bottom);
  menu.activeIndex = 0;
}

export default panel;
