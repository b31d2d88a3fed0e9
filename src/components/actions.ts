import type { Kernel } from '../wire/schema';

/**
 * Further arguments of a command.
 */
export type IMore = Readonly<Record<string, string>>;

/**
 * What a user can do in the panel.
 */
export interface IPanelActions {
  refresh(): void;
  openPanelMenu(anchor: HTMLElement): void;
  openFreeMenu(kernel: Kernel, anchor: HTMLElement): void;
  dismissResult(): void;
  openDiagnostics(): void;

  /** Open the list of a kernel's holders, or close it. */
  toggleHolders(kernelId: string): void;
  /** Ask for that list anew, and bring it into view. */
  showHolders(kernelId: string): void;
  moreHolders(kernelId: string): void;

  /**
   * Run one of our commands for a kernel.
   */
  run(command: string, kernelId: string, more?: IMore): void;
}
