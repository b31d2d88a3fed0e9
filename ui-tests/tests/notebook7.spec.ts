import { expect, test } from '@playwright/test';

// Plain Playwright: the helpers of Galata know JupyterLab's page alone.
test('Notebook 7 has the toolbar button and the panel', async ({
  page,
  request
}) => {
  const path = 'smoke.ipynb';
  const created = await request.put(`/api/contents/${path}`, {
    data: {
      type: 'notebook',
      content: {
        cells: [],
        metadata: {
          kernelspec: {
            display_name: 'Python 3',
            language: 'python',
            name: 'python3'
          }
        },
        nbformat: 4,
        nbformat_minor: 5
      }
    }
  });
  expect(created.ok()).toBe(true);

  await page.goto('/tree');
  await expect(page.getByText(path).first()).toBeVisible();

  await page.goto(`/notebooks/${path}`);
  await expect(
    page.getByRole('button', { name: 'Reset & free GPU' })
  ).toBeEnabled();
  await page.keyboard.press('ControlOrMeta+Shift+C');
  await page.locator('.lm-CommandPalette-input').fill('Show GPU Memory');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: /^GPU 0/ })).toBeVisible();

  // Other tests count the kernels that they see.
  const sessions = await (await request.get('/api/sessions')).text();
  for (const [, id] of sessions.matchAll(/"kernel": \{"id": "([^"]+)"/g)) {
    await request.delete(`/api/kernels/${id}`);
  }
  expect(await (await request.get('/api/kernels')).text()).toBe('[]');
});
