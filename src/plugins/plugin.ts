import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { IConsoleTracker } from '@jupyterlab/console';
import { INotebookTracker } from '@jupyterlab/notebook';
import { GpuMemClient } from '../api';
import { Documents } from '../documents';
import { GpuMemModel } from '../model';
import { IGpuMem } from '../tokens';

/**
 * Makes the model that all views share, and owns the settings.
 */
const plugin: JupyterFrontEndPlugin<IGpuMem> = {
  id: 'jupyterlab-gpumem:plugin',
  description: 'Keeps the GPU memory figures that the other plugins show.',
  autoStart: true,
  provides: IGpuMem,
  requires: [INotebookTracker],
  optional: [IConsoleTracker],
  activate: (
    app: JupyterFrontEnd,
    notebooks: INotebookTracker,
    consoles: IConsoleTracker | null
  ): IGpuMem => {
    const { serverSettings } = app.serviceManager;
    const client = new GpuMemClient({ serverSettings });
    const trackers = consoles ? [notebooks, consoles] : [notebooks];
    return {
      client,
      documents: new Documents({ trackers }),
      model: new GpuMemModel({ source: client })
    };
  }
};

export default plugin;
