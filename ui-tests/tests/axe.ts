import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

declare global {
  interface Window {
    readonly axe: {
      run(context: string, options: RunOptions): Promise<AxeResults>;
    };
  }
}

// JupyterLab's page has no landmarks of the kind that these ask for; they are no part of ours.
const OPTIONS: RunOptions = {
  rules: { region: { enabled: false } },
  resultTypes: ['violations']
};

/**
 * Fail with what axe-core finds wrong below the element.
 */
export async function expectAccessible(
  page: Page,
  selector: string
): Promise<void> {
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) {
    // JupyterLab's page has a module loader that axe would hand itself to.
    await page.evaluate(() => Object.assign(window, { define: undefined }));
    await page.addScriptTag({ path: require.resolve('axe-core/axe.min.js') });
  }
  const found = await page.evaluate(
    async ([context, options]) => {
      const { violations } = await window.axe.run(context, options);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(node => `${id}: ${node.html} ${node.failureSummary}`)
      );
    },
    [selector, OPTIONS] as const
  );
  expect(found).toEqual([]);
}
