import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { Notification } from '@jupyterlab/apputils';
import { ITranslator, type TranslationBundle } from '@jupyterlab/translation';
import type { CommandRegistry } from '@lumino/commands';
import { OutOfMemory } from '../oom';
import { CommandIDs, DOMAIN, IGpuMem } from '../tokens';
import type { Kernel } from '../wire/schema';

/**
 * One notification after a cell that ran out of memory, with what to do.
 */
const oom: JupyterFrontEndPlugin<void> = {
  id: 'jupyterlab-gpumem:out-of-memory',
  description: 'Tells what holds GPU memory when a cell has run out of it.',
  autoStart: true,
  requires: [IGpuMem, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    shared: IGpuMem,
    translator: ITranslator
  ) => {
    const { documents, model, preferences } = shared;
    const trans = translator.load(DOMAIN);
    new OutOfMemory({
      isOpen: kernelId => documents.documentOf(kernelId) !== null,
      isWanted: () => preferences.value.notifyOutOfMemory,
      model,
      onNews: (kernel, name) =>
        void tell(app.commands, shared, { kernel, name, trans }),
      storage: window.localStorage
    });
  }
};

interface INews {
  kernel: Kernel;
  name: string;
  trans: TranslationBundle;
}

const UNASKED_LOOK_MS = 500;

async function tell(
  commands: CommandRegistry,
  { client }: IGpuMem,
  { kernel, name, trans }: INews
): Promise<void> {
  const { oomWords } = await import('../words/oom');
  // A kernel that has gone on to the next cell names nothing; that memory ran out is worth telling all the same.
  const holders = await client
    .holders(kernel.id, 0, UNASKED_LOOK_MS)
    .catch(() => null);
  const count = kernel.last_cell?.execution_count ?? null;
  const run = (command: string) => () =>
    void commands.execute(command, { kernelId: kernel.id });
  Notification.warning(oomWords(name, count, holders, trans), {
    autoClose: false,
    actions: [
      { label: trans.__('Show'), callback: run(CommandIDs.showHolders) },
      { label: trans.__('Free…'), callback: run(CommandIDs.freeObjects) }
    ]
  });
}

export default oom;
