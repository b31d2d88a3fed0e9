import type { IMore, IPanelActions } from '../../components/actions';
import type { Kernel } from '../../wire/schema';

/**
 * Remembers what was pressed.
 */
export class FakeActions implements IPanelActions {
  readonly freed: string[] = [];
  readonly ran: string[] = [];
  menus = 0;
  refreshed = 0;
  dismissed = 0;

  refresh(): void {
    this.refreshed++;
  }

  openPanelMenu(): void {
    this.menus++;
  }

  openFreeMenu(kernel: Kernel): void {
    this.freed.push(kernel.id);
  }

  dismissResult(): void {
    this.dismissed++;
  }

  openDiagnostics(): void {
    this.ran.push('diagnostics');
  }

  toggleHolders(kernelId: string): void {
    this.ran.push(`toggle ${kernelId}`);
  }

  showHolders(kernelId: string): void {
    this.ran.push(`show ${kernelId}`);
  }

  moreHolders(kernelId: string): void {
    this.ran.push(`more ${kernelId}`);
  }

  run(command: string, kernelId: string, more?: IMore): void {
    this.ran.push([command, kernelId, ...Object.values(more ?? {})].join(' '));
  }
}
