import type { CommandRegistry } from '@lumino/commands';
import type { IDisposable } from '@lumino/disposable';
import { Menu } from '@lumino/widgets';
import { CommandIDs } from './tokens';
import type { Kernel } from './wire/schema';

const FREE = [CommandIDs.freeCache, CommandIDs.freeObjects, CommandIDs.reset];
const CONTROL = [CommandIDs.interrupt, CommandIDs.restart, CommandIDs.shutDown];

/**
 * The menus of the panel: of a kernel's "Free" button, and of the panel as a whole.
 */
export class PanelMenus implements IDisposable {
  constructor(options: PanelMenus.IOptions) {
    this._menu = new Menu({ commands: options.commands });
    this._menu.aboutToClose.connect(this._onAboutToClose, this);
  }

  get isDisposed(): boolean {
    return this._menu.isDisposed;
  }

  dispose(): void {
    this._anchor = null;
    this._menu.dispose();
  }

  /**
   * Open below a button, for a kernel; one that knows no levels can only be stopped or ended.
   */
  openForKernel(kernel: Kernel, anchor: HTMLElement): void {
    const args = { kernelId: kernel.id };
    this._menu.clearItems();
    if (kernel.agent.state !== 'unsupported') {
      FREE.forEach(command => this._menu.addItem({ command, args }));
      this._menu.addItem({ type: 'separator' });
    }
    CONTROL.forEach(command => this._menu.addItem({ command, args }));
    this._menu.addItem({ type: 'separator' });
    this._menu.addItem({ command: CommandIDs.timeline, args });
    this._menu.addItem({ command: CommandIDs.openDocument, args });
    this._open(anchor);
  }

  /**
   * Open below the panel's own button.
   */
  openForPanel(anchor: HTMLElement): void {
    this._menu.clearItems();
    this._menu.addItem({ command: CommandIDs.diagnostics });
    this._menu.addItem({ command: CommandIDs.openSettings });
    this._open(anchor);
  }

  private _open(anchor: HTMLElement): void {
    this._anchor = anchor;
    const { left, bottom } = anchor.getBoundingClientRect();
    this._menu.open(left, bottom);
    // Opened by a button, so by keyboard too: the arrows start at the first entry.
    this._menu.activeIndex = 0;
  }

  private _onAboutToClose(): void {
    this._anchor?.focus();
    this._anchor = null;
  }

  private _anchor: HTMLElement | null = null;
  private readonly _menu: Menu;
}

/**
 * Types of the menus.
 */
export namespace PanelMenus {
  export interface IOptions {
    commands: CommandRegistry;
  }
}
