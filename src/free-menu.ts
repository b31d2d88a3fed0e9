import type { CommandRegistry } from '@lumino/commands';
import type { IDisposable } from '@lumino/disposable';
import { Menu } from '@lumino/widgets';
import { CommandIDs } from './tokens';

/**
 * The menu of a kernel's "Free" button.
 */
export class FreeMenu implements IDisposable {
  constructor(options: FreeMenu.IOptions) {
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
   * Open below a button, for the kernel with this id.
   */
  open(kernelId: string, anchor: HTMLElement): void {
    this._anchor = anchor;
    const args = { kernelId };
    this._menu.clearItems();
    this._menu.addItem({ command: CommandIDs.freeCache, args });
    this._menu.addItem({ command: CommandIDs.reset, args });
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
 * Types of the menu.
 */
export namespace FreeMenu {
  export interface IOptions {
    commands: CommandRegistry;
  }
}
