import { expect, test } from '@jupyterlab/galata';
import type { Page } from '@playwright/test';
import noDriver from '../../contract/examples/snapshot-no-driver.json';
import { kernelRow, openPanel, shutDownKernels, usedShare } from './lab';
import { Notebook } from './notebook';

const SNAPSHOT = '**/jupyterlab-gpumem/v1/snapshot*';
const SCREENSHOTS = '.scratch/screenshots';
const FILL = `
%load_ext jupyterlab_gpumem.simulator
import torch

model = torch.nn.Linear(4096, 4096, device='cuda')
activations = [
    torch.empty(2**30, dtype=torch.uint8, device='cuda')
    for layer in range(13)
]
batch = torch.empty(3 * 2**30, dtype=torch.uint8, device='cuda')
del batch`.trimStart();
const OTHER = `
%load_ext jupyterlab_gpumem.simulator
import torch
weights = torch.empty(4 * 2**30, dtype=torch.uint8, device='cuda')`;

test.use({ kernels: null, sessions: null, terminals: null });

test.describe('with two notebooks on the GPU', () => {
  test.afterEach(async ({ page }) => {
    await shutDownKernels(page);
  });

  test('the panel tells them apart, in light, dark and narrow', async ({
    page,
    tmpPath
  }) => {
    const other = 'long_name_of_an_evaluation_run_2.ipynb';
    await (await Notebook.open(page, tmpPath, other, [OTHER])).run(0);
    const notebook = await Notebook.open(page, tmpPath, 'train.ipynb', [FILL]);
    await notebook.run(0);
    const card = await openPanel(page);
    await expect.poll(() => usedShare(page)).toBeGreaterThan(0.85);
    await expect(card).toContainText('simulated');
    const status = page.locator('#jp-main-statusbar').getByRole('button', {
      name: /^GPU 0 · .* \(8\d %\), simulated$/
    });
    await expect(status).toBeVisible();
    await expect(
      card.getByRole('listitem').filter({ hasText: 'other kernels' })
    ).toContainText('4.4');
    const rows = page
      .getByRole('region', { name: 'Kernels' })
      .getByRole('listitem');
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toContainText('train.ipynb');
    await expect(rows.first()).toContainText('tensors 13.');
    await expect(rows.last()).toContainText(other);

    await page.sidebar.close('left');
    await page.sidebar.setWidth(320, 'right');
    await page.screenshot({ path: `${SCREENSHOTS}/panel.png` });
    await screenshot(page, 'panel-light');
    await page.theme.setDarkTheme();
    await screenshot(page, 'panel-dark');
    await page.sidebar.setWidth(250, 'right');
    await screenshot(page, 'panel-narrow');
    const overflow = await panelOf(page).evaluate(
      element => element.scrollWidth - element.clientWidth
    );
    expect(overflow).toBe(0);
  });

  test('the kernel row frees the cache and leaves the tensors', async ({
    page,
    tmpPath
  }) => {
    const notebook = await Notebook.open(page, tmpPath, 'train.ipynb', [FILL]);
    await notebook.run(0);
    await openPanel(page);
    const row = kernelRow(page, 'train.ipynb');
    await expect(row).toContainText('cache 3.0');
    await row
      .getByRole('button', { name: 'Free memory of train.ipynb' })
      .click();
    await page.getByRole('menuitem', { name: 'Free GPU Cache' }).click();
    await expect(row).toContainText('cache <0.1');
    await expect(row).toContainText('tensors 13.');
  });
});

test('nothing is asked for while nobody looks', async ({ page }) => {
  await openPanel(page);
  await page.waitForRequest(SNAPSHOT);
  await page.sidebar.close('right');
  await expect(panelOf(page)).toBeHidden();
  // One request may be under way; after it there is none, for longer than any interval.
  const after = page.waitForRequest(SNAPSHOT, { timeout: 12_000 });
  await expect(after).rejects.toThrow(/Timeout/);

  await openPanel(page);
  await page.waitForRequest(SNAPSHOT);
});

test('without a driver the panel says so and what to do', async ({ page }) => {
  await page.route(SNAPSHOT, route => route.fulfill({ json: noDriver.value }));
  await page.evaluate(() =>
    window.jupyterapp.commands.execute('gpumem:open-panel')
  );
  const panel = panelOf(page);
  await expect(panel).toContainText('No NVIDIA driver library found');
  await expect(panel).toContainText('install its driver');
  await expect(panel.getByRole('img')).toHaveCount(0);
  await screenshot(page, 'no-driver');
});

test('a server that does not answer is said, and the panel comes back by itself', async ({
  page
}) => {
  await openPanel(page);
  await page.route(SNAPSHOT, route => route.abort());
  await expect(panelOf(page)).toContainText('Jupyter Server does not answer');
  await page.unroute(SNAPSHOT);
  await expect(panelOf(page)).not.toContainText(
    'Jupyter Server does not answer',
    {
      timeout: 40_000
    }
  );
});

function panelOf(page: Page) {
  return page.locator('#jp-gpumem-panel');
}

async function screenshot(page: Page, name: string): Promise<void> {
  await panelOf(page).screenshot({ path: `${SCREENSHOTS}/${name}.png` });
}
