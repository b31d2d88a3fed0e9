import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { ITranslator, type TranslationBundle } from '@jupyterlab/translation';
import type { CommandRegistry } from '@lumino/commands';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import type { IPanelActions } from '../components/actions';
import { gaugeIcon } from '../icons';
import { GpuMemPanel } from '../panel';
import { PanelMenus } from '../panel-menus';
import { KERNEL_ARGS, targetOf } from '../target';
import { CommandIDs, DOMAIN, IGpuMem } from '../tokens';

// Below the property inspector and the debugger, which JupyterLab puts first.
const RANK = 500;
const SETTINGS_EDITOR = 'settingeditor:open';
const NO_ARGS = { type: 'object', properties: {} } as const;

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
    shared: IGpuMem,
    translator: ITranslator,
    restorer: ILayoutRestorer | null,
    palette: ICommandPalette | null
  ) => {
    const trans = translator.load(DOMAIN);
    const menus = new PanelMenus({ commands: app.commands });
    const actions = actionsOf(app.commands, shared, menus);
    const widget = new GpuMemPanel({ ...shared, actions, trans });
    widget.disposed.connect(() => menus.dispose());
    app.shell.add(widget, 'right', { rank: RANK, type: 'GPU memory' });
    restorer?.add(widget, GpuMemPanel.ID);

    addOpeners(app, trans);
    addShowHolders(app, shared, { widget, trans });
    const category = trans.__('GPU memory');
    palette?.addItem({ command: CommandIDs.openPanel, category });
    palette?.addItem({ command: CommandIDs.showHolders, category });
  }
};

function actionsOf(
  commands: CommandRegistry,
  shared: IGpuMem,
  menus: PanelMenus
): IPanelActions {
  const { holders, model } = shared;
  const run = (command: string, args: ReadonlyPartialJSONObject): void => {
    void commands.execute(command, args);
  };
  return {
    refresh: () => void refresh(shared),
    openPanelMenu: anchor => menus.openForPanel(anchor),
    openFreeMenu: (kernel, anchor) => menus.openForKernel(kernel, anchor),
    dismissResult: () => {
      model.result = null;
    },
    openDiagnostics: () => run(CommandIDs.diagnostics, {}),
    toggleHolders: kernelId => void holders.toggle(kernelId),
    showHolders: kernelId => run(CommandIDs.showHolders, { kernelId }),
    moreHolders: kernelId => void holders.more(kernelId),
    run: (command, kernelId, more) => run(command, { kernelId, ...more })
  };
}

async function refresh({ client, documents, model }: IGpuMem): Promise<void> {
  const kernelId = documents.currentKernelId;
  if (kernelId !== null) {
    // One that cannot be asked now keeps the figures it told last, with their age.
    await client.refresh(kernelId).catch(() => null);
  }
  await model.refresh();
}

function addOpeners(app: JupyterFrontEnd, trans: TranslationBundle): void {
  app.commands.addCommand(CommandIDs.openPanel, {
    label: trans.__('Show GPU Memory'),
    caption: trans.__('Show who holds GPU memory'),
    icon: gaugeIcon,
    describedBy: { args: NO_ARGS },
    execute: () => app.shell.activateById(GpuMemPanel.ID)
  });
  app.commands.addCommand(CommandIDs.openSettings, {
    label: trans.__('GPU Memory Settings'),
    describedBy: { args: NO_ARGS },
    // The settings editor is a plugin that a page need not have.
    isVisible: () => app.commands.hasCommand(SETTINGS_EDITOR),
    execute: () =>
      app.commands.execute(SETTINGS_EDITOR, { query: 'GPU Memory' })
  });
}

function addShowHolders(
  app: JupyterFrontEnd,
  { documents, holders, model }: IGpuMem,
  { widget, trans }: { widget: GpuMemPanel; trans: TranslationBundle }
): void {
  app.commands.addCommand(CommandIDs.showHolders, {
    label: trans.__('Show What Holds GPU Memory'),
    caption: trans.__('List by name what holds memory in the kernel'),
    describedBy: { args: KERNEL_ARGS },
    isEnabled: args => targetOf(args, documents, model) !== null,
    execute: async args => {
      const target = targetOf(args, documents, model);
      if (target) {
        app.shell.activateById(GpuMemPanel.ID);
        await holders.scan(target.kernelId);
        widget.reveal(target.kernelId);
      }
    }
  });
}

export default panel;
