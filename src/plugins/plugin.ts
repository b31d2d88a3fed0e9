import type {
  JupyterFrontEnd,
  JupyterFrontEndPlugin
} from '@jupyterlab/application';
import { IConsoleTracker } from '@jupyterlab/console';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { GpuMemClient } from '../api';
import { Documents } from '../documents';
import { FigureHistory } from '../history';
import { HolderLists } from '../holders';
import { GpuMemModel } from '../model';
import { Preferences } from '../preferences';
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
  optional: [IConsoleTracker, ISettingRegistry],
  activate: (
    app: JupyterFrontEnd,
    notebooks: INotebookTracker,
    consoles: IConsoleTracker | null,
    registry: ISettingRegistry | null
  ): IGpuMem => {
    const { serverSettings } = app.serviceManager;
    const client = new GpuMemClient({ serverSettings });
    const trackers = consoles ? [notebooks, consoles] : [notebooks];
    const preferences = new Preferences();
    // Settings that do not come leave the defaults; JupyterLab itself tells what is wrong with them.
    registry?.load(plugin.id).then(
      settings => preferences.follow(settings),
      () => undefined
    );
    const model = new GpuMemModel({ source: client });
    return {
      client,
      documents: new Documents({ trackers }),
      history: new FigureHistory({ model, source: client }),
      holders: new HolderLists({ model, source: client }),
      model,
      preferences
    };
  }
};

export default plugin;
