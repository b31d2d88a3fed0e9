import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette, MainAreaWidget } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ITranslator, type TranslationBundle } from '@jupyterlab/translation';
import { type ITarget, KERNEL_ARGS, targetOf } from '../target';
import { CommandIDs, DOMAIN, IGpuMem } from '../tokens';
import type { Cell } from '../wire/schema';

/**
 * The page that shows memory of a kernel over time, cell by cell.
 */
const timeline: JupyterFrontEndPlugin<void> = {
  id: 'jupyterlab-gpumem:timeline',
  description: 'Shows GPU memory of a kernel over time, cell by cell.',
  autoStart: true,
  requires: [IGpuMem, ITranslator, INotebookTracker],
  optional: [ICommandPalette],
  activate: (
    app: JupyterFrontEnd,
    shared: IGpuMem,
    translator: ITranslator,
    notebooks: INotebookTracker,
    palette: ICommandPalette | null
  ) => {
    const trans = translator.load(DOMAIN);
    const { documents, model } = shared;
    app.commands.addCommand(CommandIDs.timeline, {
      label: trans.__('Show GPU Memory over Time'),
      caption: trans.__('Curves of the last minutes, and what each cell did'),
      describedBy: { args: KERNEL_ARGS },
      isEnabled: args => targetOf(args, documents, model) !== null,
      execute: async args => {
        const target = targetOf(args, documents, model);
        if (target) {
          await open({ app, notebooks, shared, target, trans });
        }
      }
    });
    const category = trans.__('GPU memory');
    palette?.addItem({ command: CommandIDs.timeline, category });
  }
};

interface IOptions {
  app: JupyterFrontEnd;
  notebooks: INotebookTracker;
  shared: IGpuMem;
  target: ITarget;
  trans: TranslationBundle;
}

async function open(options: IOptions): Promise<void> {
  const { app, notebooks, shared, target, trans } = options;
  const { client: source, history, model } = shared;
  const { kernelId, name } = target;
  const [{ TimelinePage }, { pointsCsv }] = await Promise.all([
    import('../timeline'),
    import('../csv')
  ]);
  const content = new TimelinePage({
    history,
    kernelId,
    model,
    name,
    onExport: track => save(`${name}.csv`, pointsCsv(track.points)),
    onOpen: cell => void goTo(app, notebooks, kernelId, cell),
    source,
    trans
  });
  const page = new MainAreaWidget({ content });
  app.shell.add(page, 'main', { mode: 'split-bottom' });
}

async function goTo(
  app: JupyterFrontEnd,
  notebooks: INotebookTracker,
  kernelId: string,
  cell: Cell
): Promise<void> {
  const panel = notebooks.find(
    one => one.sessionContext.session?.kernel?.id === kernelId
  );
  const index = panel?.content.widgets.findIndex(
    one => one.model.id === cell.cell_id
  );
  if (panel && index !== undefined && index >= 0) {
    app.shell.activateById(panel.id);
    panel.content.activeCellIndex = index;
    await panel.content.scrollToItem(index, 'smart');
  }
}

function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export default timeline;
