import type { IJupyterLabPageFixture } from '@jupyterlab/galata';
import { expect, type Locator, type Page } from '@playwright/test';

const UNIT_BYTES: Record<string, number> = {
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30
};
export const GIB = 2 ** 30;
export const MIB = 2 ** 20;

/**
 * What the bar of a device says to those who cannot see it.
 */
export interface IGauge {
  readonly usedBytes: number;
  readonly totalBytes: number;
  /** Size of each part by its name; those below the rounding are 0. */
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * Open the panel by its command, and return its first device card.
 */
export async function openPanel(
  page: IJupyterLabPageFixture
): Promise<Locator> {
  await page.evaluate(() =>
    window.jupyterapp.commands.execute('gpumem:open-panel')
  );
  const card = page.getByRole('region', { name: /^GPU 0/ });
  await expect(card).toBeVisible();
  return card;
}

/**
 * The row of a kernel in the panel, by the name of its notebook.
 */
export function kernelRow(page: Page, name: string): Locator {
  return page
    .getByRole('region', { name: 'Kernels' })
    .getByRole('listitem', { name });
}

/**
 * Read the gauge of the first GPU; null while there is none.
 */
export async function readGauge(page: Page): Promise<IGauge | null> {
  const bar = page
    .getByRole('region', { name: /^GPU 0/ })
    .getByRole('img', { name: /in use/ });
  const sentence = (await bar.count())
    ? await bar.getAttribute('aria-label')
    : null;
  const whole = sentence?.match(
    /: ([\d.]+)\s(\w+) of ([\d.]+)\s(\w+) in use\. (.*)\.$/
  );
  if (!whole) {
    return null;
  }
  const [, used, usedUnit, total, totalUnit, rest] = whole;
  const parts: Record<string, number> = {};
  for (const part of rest?.split(', ') ?? []) {
    const [, name, size, unit] = part.match(/^(.*) ([\d.]+)\s(\w+)$/) ?? [];
    if (name) {
      parts[name] = bytesOf(size, unit);
    }
  }
  return {
    usedBytes: bytesOf(used, usedUnit),
    totalBytes: bytesOf(total, totalUnit),
    parts
  };
}

/**
 * The share of the first GPU that is in use; -1 while there is none.
 */
export async function usedShare(page: Page): Promise<number> {
  const gauge = await readGauge(page);
  return gauge ? gauge.usedBytes / gauge.totalBytes : -1;
}

/**
 * End every kernel: Galata's own tracking of them is off, as it breaks interrupts and restarts.
 */
export async function shutDownKernels(
  page: IJupyterLabPageFixture
): Promise<void> {
  await page.evaluate(() =>
    window.jupyterapp.serviceManager.sessions.shutdownAll()
  );
}

function bytesOf(size: string | undefined, unit: string | undefined): number {
  return Number(size) * (UNIT_BYTES[unit ?? ''] ?? NaN);
}
