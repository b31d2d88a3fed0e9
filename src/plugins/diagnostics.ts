import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { ICommandPalette, MainAreaWidget } from '@jupyterlab/apputils';
import { ITranslator } from '@jupyterlab/translation';
import { CommandIDs, DOMAIN, IGpuMem } from '../tokens';

/**
 * The page that says what works and what does not.
 */
const diagnostics: JupyterFrontEndPlugin<void> = {
  id: 'jupyterlab-gpumem:diagnostics',
  description: 'Shows what works on the server, what does not and what to do.',
  autoStart: true,
  requires: [IGpuMem, ITranslator],
  optional: [ICommandPalette],
  activate: (
    app: JupyterFrontEnd,
    { client }: IGpuMem,
    translator: ITranslator,
    palette: ICommandPalette | null
  ) => {
    const trans = translator.load(DOMAIN);
    let page: MainAreaWidget | null = null;
    app.commands.addCommand(CommandIDs.diagnostics, {
      label: trans.__('GPU Memory Diagnostics'),
      caption: trans.__('What works, what does not, and what to do'),
      describedBy: { args: { type: 'object', properties: {} } },
      execute: async () => {
        const { DiagnosticsPage } = await import('../diagnostics');
        if (!page || page.isDisposed) {
          const content = new DiagnosticsPage({ source: client, trans });
          page = new MainAreaWidget({ content });
          app.shell.add(page, 'main');
        }
        app.shell.activateById(page.id);
      }
    });
    const category = trans.__('GPU memory');
    palette?.addItem({ command: CommandIDs.diagnostics, category });
  }
};

export default diagnostics;
