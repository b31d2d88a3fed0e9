import { expect, test } from '@jupyterlab/galata';

test('JupyterLab loads', async ({ page }) => {
  await expect(page.getByRole('menuitem', { name: 'Kernel' })).toBeVisible();
});
