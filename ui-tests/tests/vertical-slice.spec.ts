import { expect, test } from '@jupyterlab/galata';
import {
  GIB,
  MIB,
  openPanel,
  readGauge,
  shutDownKernels,
  usedShare
} from './lab';
import { Notebook } from './notebook';

// The mocks of Galata cut a kernel off when it is interrupted or restarted.
test.use({ kernels: null, sessions: null, terminals: null });

test.afterEach(async ({ page }) => {
  await shutDownKernels(page);
});

const LOAD = '%load_ext jupyterlab_gpumem.simulator\nimport torch';
const TRAIN = `
model = torch.nn.Linear(256, 256, device='cuda')
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.randn(64, 256, device='cuda')).square().mean()
loss.backward()
optimizer.step()
print('trained on', loss.device)`;
const FILL = `
blocks = [torch.empty(2**30, dtype=torch.uint8, device='cuda') for _ in range(22)]
note = 'made before'`;
const RUN_OUT = `
def step():
    activations = torch.empty(2**29, dtype=torch.uint8, device='cuda')
    return activations, torch.empty(4 * 2**30, dtype=torch.uint8, device='cuda')
step()`;
const AFTER = `
print('note' in globals(), 'blocks' in globals(), torch.ones(2, device='cuda').sum().item())`;
const RESET_MAGIC = '%reset -f';
const WHAT_IS_LEFT = `
import gc, torch
gc.collect()
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() // 2**20)`;

test('one button gives the memory back after CUDA out of memory', async ({
  page,
  tmpPath
}) => {
  const name = 'train.ipynb';
  const notebook = await Notebook.open(page, tmpPath, name, [
    LOAD,
    TRAIN,
    FILL,
    RUN_OUT,
    AFTER
  ]);
  await openPanel(page);
  await notebook.run(0);
  expect(await notebook.run(1)).toContain('trained on cuda:0');

  await notebook.run(2);
  await expect.poll(() => usedShare(page)).toBeGreaterThan(0.9);

  expect(await notebook.run(3)).toContain('OutOfMemoryError');
  const lastCount = await notebook.count(3);

  await notebook.resetButton.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(name);
  await expect(dialog).toContainText('all variables');
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click();

  // Within 5 s nothing is in use but the context.
  await expect
    .poll(async () => (await readGauge(page))?.usedBytes, { timeout: 5000 })
    .toBeLessThan(GIB);
  const gauge = await readGauge(page);
  expect(gauge?.parts).toMatchObject({ tensors: 0, cache: 0 });
  expect(gauge?.usedBytes).toBe(gauge?.parts['context and other']);
  expect(gauge?.usedBytes).toBeGreaterThan(100 * MIB);
  await expect(page.getByText(/^Freed 22\.\d\sGiB/).first()).toBeVisible();

  // The kernel is the same one: torch is still imported and cells are numbered on.
  expect(await notebook.run(4)).toContain('False False 2.0');
  expect(await notebook.count(4)).toBe(lastCount + 1);
  expect(await notebook.run(1)).toContain('trained on cuda:0');
});

test('%reset -f leaves what the exception holds, and the button frees it', async ({
  page,
  tmpPath
}) => {
  const cells = [LOAD, FILL, RUN_OUT, RESET_MAGIC, WHAT_IS_LEFT];
  const notebook = await Notebook.open(page, tmpPath, 'magic.ipynb', cells);
  await openPanel(page);
  await notebook.run(0);
  await notebook.run(1);
  expect(await notebook.run(2)).toContain('OutOfMemoryError');

  await notebook.run(3);
  expect(Number(await notebook.run(4))).toBe(512);
  await expect
    .poll(async () => (await readGauge(page))?.parts.tensors)
    .toBe(512 * MIB);

  await notebook.resetButton.click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Reset', exact: true })
    .click();
  await expect.poll(async () => (await readGauge(page))?.parts.tensors).toBe(0);
  await expect
    .poll(async () => (await readGauge(page))?.usedBytes)
    .toBeLessThan(512 * MIB);
});
