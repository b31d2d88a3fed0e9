import { expect, test } from '@jupyterlab/galata';
import { GIB, kernelRow, openPanel, readGauge, shutDownKernels } from './lab';
import { Notebook } from './notebook';

test.use({ kernels: null, sessions: null, terminals: null });

test.afterEach(async ({ page }) => {
  await shutDownKernels(page);
});

const LOAD = '%load_ext jupyterlab_gpumem.simulator\nimport torch';
const LONG = `
import time
held = torch.empty(4 * 2**30, dtype=torch.uint8, device='cuda')
print('started')
for _ in range(3000):
    time.sleep(0.1)
print('finished')`;
const STILL_THERE = `print('held' in globals(), torch.cuda.is_available())`;

test('a running cell can be interrupted and the kernel reset after it', async ({
  page,
  tmpPath
}) => {
  const name = 'long.ipynb';
  const notebook = await Notebook.open(page, tmpPath, name, [
    LOAD,
    LONG,
    STILL_THERE
  ]);
  await openPanel(page);
  await notebook.run(0);
  await notebook.start(1);
  const row = kernelRow(page, name);
  await expect(row).toContainText('running a cell');
  await expect
    .poll(async () => (await readGauge(page))?.usedBytes)
    .toBeGreaterThan(4 * GIB);

  await notebook.resetButton.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('A cell is running');
  await expect(dialog).toContainText(name);
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Interrupt, then reset' }).click();

  await expect
    .poll(async () => (await readGauge(page))?.usedBytes)
    .toBeLessThan(GIB);
  await expect(page.getByText('KeyboardInterrupt').first()).toBeVisible();
  expect(await notebook.run(2)).toContain('False True');
});

test('cancel leaves a running cell alone', async ({ page, tmpPath }) => {
  const name = 'cancelled.ipynb';
  const notebook = await Notebook.open(page, tmpPath, name, [
    LOAD,
    LONG,
    STILL_THERE
  ]);
  await openPanel(page);
  await notebook.run(0);
  await notebook.start(1);
  await expect
    .poll(async () => (await readGauge(page))?.usedBytes)
    .toBeGreaterThan(4 * GIB);

  await notebook.resetButton.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();

  await expect(kernelRow(page, name)).toContainText('running a cell');
  expect((await readGauge(page))?.usedBytes).toBeGreaterThan(4 * GIB);
});
