import { expect, test } from '@jupyterlab/galata';
import { GIB, kernelRow, openPanel, readGauge, shutDownKernels } from './lab';
import { Notebook } from './notebook';

test.use({ kernels: null, sessions: null, terminals: null });

test.afterEach(async ({ page }) => {
  await shutDownKernels(page);
});

const FILL = `
%load_ext jupyterlab_gpumem.simulator
import torch
blocks = [torch.empty(2**30, dtype=torch.uint8, device='cuda') for _ in range(20)]
precious = torch.empty(2**30, dtype=torch.uint8, device='cuda')
note = 'in main memory'`.trimStart();
const RUN_OUT = `
def step():
    activations = torch.empty(2**30, dtype=torch.uint8, device='cuda')
    return activations, torch.empty(4 * 2**30, dtype=torch.uint8, device='cuda')
step()`;
const WHAT_IS_LEFT = `print([name in globals() for name in ('blocks', 'precious', 'note', 'step')])`;

test('after out of memory the holders are named, and given up one by one', async ({
  page,
  tmpPath
}) => {
  const name = 'train.ipynb';
  const notebook = await Notebook.open(page, tmpPath, name, [
    FILL,
    RUN_OUT,
    WHAT_IS_LEFT
  ]);
  await openPanel(page);
  await notebook.run(0);
  expect(await notebook.run(1)).toContain('OutOfMemoryError');

  const toast = page.getByRole('alert').filter({
    hasText: /ran out of GPU memory\. Held by: .*blocks/
  });
  await expect(toast).toHaveCount(1);
  await toast.getByRole('button', { name: 'Show' }).click();

  const row = kernelRow(page, name);
  await expect(row).toContainText('Cell 2 ran out of memory.');
  const table = row.getByRole('treegrid');
  await expect(table.getByRole('row', { name: /blocks/ })).toContainText(
    '20.0'
  );
  await page.sidebar.setWidth(320, 'right');
  await page
    .locator('#jp-gpumem-panel')
    .screenshot({ path: '.scratch/screenshots/out-of-memory.png' });
  await table.getByRole('button', { name: 'Delete last exception' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(table.getByRole('row', { name: /step\(\)/ })).toBeHidden();
  await expect(page.locator('#jp-gpumem-panel')).toContainText(
    /Freed 1\.0\sGiB/
  );

  await row
    .getByRole('button', { name: `Free memory of ${name}`, exact: true })
    .click();
  await page.getByRole('menuitem', { name: 'Free GPU Objects…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: /precious/ }).uncheck();
  await dialog.getByRole('button', { name: 'Free', exact: true }).click();
  await expect
    .poll(async () => (await readGauge(page))?.usedBytes)
    .toBeLessThan(2 * GIB);
  expect(await notebook.run(2)).toContain('[False, True, True, True]');
  // The same cell is never told of twice.
  await expect(toast).toHaveCount(0);
});
