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
import { type ITarget, KERNEL_ARGS, targetOf } from '../target';
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
    shared: IGpuMem,
    translator: ITranslator,
    palette: ICommandPalette | null
  ) => {
    const { documents, model } = shared;
    const trans = translator.load(DOMAIN);
    let freeing: Promise<Freeing> | null = null;
    addCommands({
      commands: app.commands,
      start: () => (freeing ??= start(app.commands, shared, trans)),
      find: args => targetOf(args, documents, model),
      trans
    });
    documents.changed.connect(() => {
      LEVELS.forEach(level => app.commands.notifyCommandChanged(level));
    });
    const category = trans.__('GPU memory');
    LEVELS.forEach(command => palette?.addItem({ command, category }));
  }
};

const LEVELS = [
  CommandIDs.reset,
  CommandIDs.freeObjects,
  CommandIDs.freeCache
] as const;

/**
 * Not before somebody frees: dialogs and words are no part of the start.
 */
async function start(
  commands: CommandRegistry,
  shared: IGpuMem,
  trans: TranslationBundle
): Promise<Freeing> {
  const { client: source, model, preferences } = shared;
  const [{ Freeing }, { Conversation }, { Waiting }] = await Promise.all([
    import('../freeing'),
    import('../dialogs'),
    import('../waiting')
  ]);
  const user = new Conversation({
    preferences,
    restart: kernelId =>
      void commands.execute(CommandIDs.restart, { kernelId }),
    trans
  });
  return new Freeing({
    model,
    preferences: () => preferences.value,
    source,
    trans,
    user,
    waiting: new Waiting({
      model,
      source,
      tell: result => user.tellResult(result),
      trans
    })
  });
}

interface ICommandOptions {
  commands: CommandRegistry;
  start: () => Promise<Freeing>;
  find: (args: ReadonlyPartialJSONObject) => ITarget | null;
  trans: TranslationBundle;
}

type Free = (
  freeing: Freeing,
  target: ITarget,
  args: ReadonlyPartialJSONObject
) => Promise<void>;

function addCommands(options: ICommandOptions): void {
  const { commands, trans } = options;
  commands.addCommand(CommandIDs.reset, {
    ...acting(options, (freeing, target) => freeing.reset(target)),
    label: trans.__('Reset & Free GPU…'),
    caption: trans.__(
      'Drop all variables, outputs and the last error, and give GPU memory back; the kernel stays alive'
    ),
    icon: resetIcon
  });
  commands.addCommand(CommandIDs.freeObjects, {
    ...acting(options, (freeing, target) => freeing.objects(target)),
    label: trans.__('Free GPU Objects…'),
    caption: trans.__(
      'Drop what holds GPU memory, as far as you choose; functions, imports and data in main memory stay'
    )
  });
  commands.addCommand(CommandIDs.freeCache, {
    ...acting(options, (freeing, target) => freeing.freeCache(target)),
    label: trans.__('Free GPU Cache'),
    caption: trans.__(
      'Give back what PyTorch keeps but does not use; nothing is lost'
    )
  });
  commands.addCommand(CommandIDs.cancelFree, {
    ...acting(options, (freeing, target) => freeing.cancel(target)),
    label: trans.__('Cancel Freeing'),
    caption: trans.__('Call off what waits for the running cell')
  });
  commands.addCommand(CommandIDs.remove, {
    ...acting(options, remove),
    label: trans.__('Delete from Kernel…'),
    caption: trans.__('Drop one thing that holds memory')
  });
}

function acting(
  options: ICommandOptions,
  free: Free
): Pick<
  CommandRegistry.ICommandOptions,
  'describedBy' | 'execute' | 'isEnabled'
> {
  const { start, find } = options;
  return {
    describedBy: { args: KERNEL_ARGS },
    isEnabled: args => find(args) !== null,
    execute: async args => {
      const target = find(args);
      if (target) {
        await free(await start(), target, args);
      }
    }
  };
}

async function remove(
  freeing: Freeing,
  target: ITarget,
  args: ReadonlyPartialJSONObject
): Promise<void> {
  const { id, path } = args;
  if (typeof id === 'string' && typeof path === 'string') {
    await freeing.remove(target, { id, path });
  }
}

export default free;
