import {
  KernelAPI,
  type ServerConnection,
  type Session
} from '@jupyterlab/services';
import type { Documents } from './documents';

/**
 * Stops, restarts and ends kernels, whether this page has them open or not.
 */
export class Kernels {
  constructor(options: Kernels.IOptions) {
    this._options = options;
  }

  async interrupt(kernelId: string): Promise<void> {
    await KernelAPI.interruptKernel(kernelId, this._options.serverSettings);
  }

  async restart(kernelId: string): Promise<void> {
    const open = this._options.documents.sessionOf(kernelId);
    // The page's own connection has to know, or it waits for answers of the kernel that was.
    if (open?.session?.kernel) {
      await open.session.kernel.restart();
    } else {
      await KernelAPI.restartKernel(kernelId, this._options.serverSettings);
    }
  }

  async shutDown(kernelId: string): Promise<void> {
    const { sessions, serverSettings } = this._options;
    await sessions.refreshRunning();
    const owner = [...sessions.running()].find(
      session => session.kernel?.id === kernelId
    );
    // A session without its kernel would start a new one when its document is opened.
    if (owner) {
      await sessions.shutdown(owner.id);
    } else {
      await KernelAPI.shutdownKernel(kernelId, serverSettings);
    }
  }

  private readonly _options: Kernels.IOptions;
}

/**
 * Types of the kernels.
 */
export namespace Kernels {
  export interface IOptions {
    documents: Documents;
    serverSettings: ServerConnection.ISettings;
    sessions: Session.IManager;
  }
}
