import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { ITranslator, type TranslationBundle } from '@jupyterlab/translation';
import type { CommandRegistry } from '@lumino/commands';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import type { Freeing } from '../freeing';
import { resetIcon } from '../icons';
import { type ITarget, targetOf } from '../target';
import { CommandIDs, DOMAIN, IGpuMem } from '../tokens';

/**
 * The commands that give memory back; the schema puts them into the notebook's toolbar and the Kernel menu.
 */
const free: JupyterFrontEndPlugin<void> = {
  id: 'jupyterlab-gpumem:free',
  description: 'Gives GPU memory of a kernel back without restarting it.',
  autoStart: true,
  requires: [IGpuMem, ITranslator],
  optional: [ICommandPalette],
  activate: (
    app: JupyterFrontEnd,
    { client, model, documents }: IGpuMem,
    translator: ITranslator,
    palette: ICommandPalette | null
  ) => {
    const trans = translator.load(DOMAIN);
    // Not before somebody frees: dialog and words are no part of the start.
    const start = async (): Promise<Freeing> => {
      const [{ Freeing }, { askReset, notifyProgress }] = await Promise.all([
        import('../freeing'),
        import('../dialogs')
      ]);
      return new Freeing({
        ask: target => askReset(target, trans),
        tell: notifyProgress,
        model,
        source: client,
        trans
      });
    };
    const find = (args: ReadonlyPartialJSONObject): ITarget | null =>
      targetOf(args, documents, model);
    addCommands({ commands: app.commands, start, find, trans });
    documents.changed.connect(() => {
      app.commands.notifyCommandChanged(CommandIDs.reset);
      app.commands.notifyCommandChanged(CommandIDs.freeCache);
    });
    const category = trans.__('GPU memory');
    palette?.addItem({ command: CommandIDs.reset, category });
    palette?.addItem({ command: CommandIDs.freeCache, category });
  }
};

const ARGS = {
  type: 'object',
  properties: {
    kernelId: {
      type: 'string',
      description:
        'Id of the kernel; that of the notebook in front if left out.'
    }
  }
} as const;

interface ICommandOptions {
  commands: CommandRegistry;
  start: () => Promise<Freeing>;
  find: (args: ReadonlyPartialJSONObject) => ITarget | null;
  trans: TranslationBundle;
}

function addCommands(options: ICommandOptions): void {
  const { commands, start, find, trans } = options;
  const run = async (
    args: ReadonlyPartialJSONObject,
    free: (freeing: Freeing, target: ITarget) => Promise<void>
  ): Promise<void> => {
    const target = find(args);
    if (target) {
      await free(await start(), target);
    }
  };
  commands.addCommand(CommandIDs.reset, {
    label: trans.__('Reset & Free GPU…'),
    caption: trans.__(
      'Drop all variables, outputs and the last error, and give GPU memory back; the kernel stays alive'
    ),
    icon: resetIcon,
    describedBy: { args: ARGS },
    isEnabled: args => find(args) !== null,
    execute: args => run(args, (freeing, target) => freeing.reset(target))
  });
  commands.addCommand(CommandIDs.freeCache, {
    label: trans.__('Free GPU Cache'),
    caption: trans.__(
      'Give back what PyTorch keeps but does not use; nothing is lost'
    ),
    describedBy: { args: ARGS },
    isEnabled: args => find(args) !== null,
    execute: args => run(args, (freeing, target) => freeing.freeCache(target))
  });
}

export default free;
