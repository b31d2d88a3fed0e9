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
const UNTIL_GO = `
import os, time
held = torch.empty(4 * 2**30, dtype=torch.uint8, device='cuda')
while not os.path.exists('go.txt'):
    time.sleep(0.1)
print('finished')`;
const HOLD = `
%load_ext jupyterlab_gpumem.simulator
import torch
held = torch.empty(4 * 2**30, dtype=torch.uint8, device='cuda')`.trimStart();
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

test('a reset can wait for the running cell, be called off, and wait again', async ({
  page,
  tmpPath
}) => {
  const name = 'waits.ipynb';
  const go = `${tmpPath}/go.txt`;
  const notebook = await Notebook.open(page, tmpPath, name, [
    LOAD,
    UNTIL_GO,
    STILL_THERE
  ]);
  await openPanel(page);
  await notebook.run(0);
  await notebook.start(1);
  const row = kernelRow(page, name);
  const waits = row.getByText('Is reset when the running cell has ended.');
  const askToWait = async (): Promise<void> => {
    await notebook.resetButton.click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Reset when it has ended' })
      .click();
    await expect(waits).toBeVisible();
  };

  await notebook.resetButton.click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Cancel' })
    .click();
  await expect(row).toContainText('running a cell');
  await askToWait();
  await row.getByRole('button', { name: `Cancel freeing of ${name}` }).click();
  await expect(waits).toBeHidden();
  await askToWait();

  await page.contents.uploadContent('go', 'text', go);
  await expect(page.getByText('finished').first()).toBeVisible();
  await expect(page.locator('#jp-gpumem-panel')).toContainText(
    /Freed 4\.\d\sGiB from waits\.ipynb/
  );
  expect(await notebook.run(2)).toContain('False True');
});

test('the panel restarts a kernel and shuts it down', async ({
  page,
  tmpPath
}) => {
  const name = 'ends.ipynb';
  const notebook = await Notebook.open(page, tmpPath, name, [HOLD]);
  await openPanel(page);
  await notebook.run(0);
  const row = kernelRow(page, name);
  const act = async (entry: string, yes: string): Promise<void> => {
    await row.getByRole('button', { name: `Free memory of ${name}` }).click();
    await page.getByRole('menuitem', { name: entry }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(name);
    await dialog.getByRole('button', { name: yes, exact: true }).click();
  };

  await expect(row).toContainText('4.4');
  await act('Restart Kernel…', 'Restart');
  await expect(row).not.toContainText('4.4');
  await notebook.run(0);
  await expect(row).toContainText('4.4');
  await act('Shut Down Kernel…', 'Shut Down');
  await expect(row).toBeHidden();
});
