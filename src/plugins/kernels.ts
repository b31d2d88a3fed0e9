import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ITranslator, type TranslationBundle } from '@jupyterlab/translation';
import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import { Kernels } from '../kernels';
import { KERNEL_ARGS, type ITarget, targetOf } from '../target';
import { CommandIDs, DOMAIN, IGpuMem } from '../tokens';

/**
 * The commands that stop, restart and end a kernel of the panel, and open its document.
 */
const kernels: JupyterFrontEndPlugin<void> = {
  id: 'jupyterlab-gpumem:kernels',
  description: 'Interrupts, restarts and shuts down kernels from the panel.',
  autoStart: true,
  requires: [IGpuMem, ITranslator],
  activate: (
    app: JupyterFrontEnd,
    { model, documents }: IGpuMem,
    translator: ITranslator
  ) => {
    const trans = translator.load(DOMAIN);
    const { serverSettings, sessions } = app.serviceManager;
    const options = {
      app,
      kernels: new Kernels({ documents, serverSettings, sessions }),
      find: (args: ReadonlyPartialJSONObject) =>
        targetOf(args, documents, model),
      done: () => model.refresh(),
      trans
    };
    addInterrupt(options);
    addRestart(options);
    addShutDown(options);
    addOpen(options, kernelId => documents.documentOf(kernelId)?.id ?? null);
  }
};

interface IOptions {
  app: JupyterFrontEnd;
  kernels: Kernels;
  find: (args: ReadonlyPartialJSONObject) => ITarget | null;
  done: () => Promise<void>;
  trans: TranslationBundle;
}

function addInterrupt(options: IOptions): void {
  const { app, kernels, find, done, trans } = options;
  app.commands.addCommand(CommandIDs.interrupt, {
    label: trans.__('Interrupt Cell'),
    caption: trans.__('Stop the running cell; variables stay'),
    describedBy: { args: KERNEL_ARGS },
    isEnabled: args => find(args)?.isBusy ?? false,
    execute: async args => {
      const target = find(args);
      if (target) {
        await kernels.interrupt(target.kernelId);
        await done();
      }
    }
  });
}

function addRestart(options: IOptions): void {
  const { app, kernels, find, done, trans } = options;
  app.commands.addCommand(CommandIDs.restart, {
    label: trans.__('Restart Kernel…'),
    caption: trans.__('Give all of its GPU memory back; variables are lost'),
    describedBy: { args: KERNEL_ARGS },
    isEnabled: args => find(args) !== null,
    execute: async args => {
      const { confirm } = await import('../dialogs');
      const target = find(args);
      if (target && (await confirm(restartQuestion(target, trans), trans))) {
        await kernels.restart(target.kernelId);
        await done();
      }
    }
  });
}

function addShutDown(options: IOptions): void {
  const { app, kernels, find, done, trans } = options;
  app.commands.addCommand(CommandIDs.shutDown, {
    label: trans.__('Shut Down Kernel…'),
    caption: trans.__('End the kernel; the notebook stays'),
    describedBy: { args: KERNEL_ARGS },
    isEnabled: args => find(args) !== null,
    execute: async args => {
      const { confirm } = await import('../dialogs');
      const target = find(args);
      if (target && (await confirm(shutDownQuestion(target, trans), trans))) {
        await kernels.shutDown(target.kernelId);
        await done();
      }
    }
  });
}

function addOpen(
  options: IOptions,
  openId: (kernelId: string) => string | null
): void {
  const { app, find, trans } = options;
  app.commands.addCommand(CommandIDs.openDocument, {
    label: trans.__('Open Notebook'),
    caption: trans.__('Bring the notebook of this kernel to the front'),
    describedBy: { args: KERNEL_ARGS },
    isEnabled: args => find(args)?.path !== null,
    execute: async args => {
      const target = find(args);
      const id = target && openId(target.kernelId);
      if (id) {
        app.shell.activateById(id);
      } else if (target?.path) {
        await app.commands.execute('docmanager:open', { path: target.path });
      }
    }
  });
}

interface IQuestion {
  title: string;
  text: string;
  label: string;
}

function restartQuestion(target: ITarget, trans: TranslationBundle): IQuestion {
  return {
    title: trans.__('Restart the kernel of %1?', target.name),
    text: trans.__(
      'All variables and imports are lost. All GPU memory of the kernel comes free, the CUDA context too.'
    ),
    label: trans.__('Restart')
  };
}

function shutDownQuestion(
  target: ITarget,
  trans: TranslationBundle
): IQuestion {
  return {
    title: trans.__('Shut down the kernel of %1?', target.name),
    text: trans.__(
      'All variables are lost and all GPU memory of the kernel comes free. The notebook and its outputs stay.'
    ),
    label: trans.__('Shut Down')
  };
}

export default kernels;
