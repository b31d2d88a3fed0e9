import { expect, test } from '@jupyterlab/galata';
import type { IJupyterLabPageFixture } from '@jupyterlab/galata';
import report from '../../contract/examples/free-report-reset.json';
import diagnostics from '../../contract/examples/diagnostics.json';
import holders from '../../contract/examples/holders.json';
import twoGpus from '../../contract/examples/snapshot-two-gpus.json';
import { expectAccessible } from './axe';
import { kernelRow } from './lab';

/** What the contract's examples say, so that the same is seen in each run. */
const API = '**/jupyterlab-gpumem/v1';
const PANEL = '#jp-gpumem-panel';
const DIALOG = '.jp-Dialog-content';
const SCREENSHOTS = '.scratch/screenshots';
const TRAIN = 'train.ipynb';

const [DEVICE] = twoGpus.value.devices;

/** Ten minutes in which a device fills. */
const HISTORY = {
  wire_version: 1,
  taken_at_ms: twoGpus.value.taken_at_ms,
  interval_ms: 2000,
  devices: [
    {
      key: DEVICE?.key,
      points: Array.from({ length: 200 }, (_, index) => [
        twoGpus.value.taken_at_ms - 3000 * (200 - index),
        Math.round(
          (DEVICE?.memory.used_bytes ?? 0) *
            (index < 60 ? 0.25 : index < 130 ? 0.6 + index / 1000 : 0.9)
        )
      ])
    }
  ],
  kernels: [
    {
      id: twoGpus.value.kernels[0]?.id,
      key: DEVICE?.key,
      points: Array.from({ length: 200 }, (_, index) => {
        const used = (index < 60 ? 0.3 : index < 130 ? 0.7 : 1) * 15e9;
        const at = twoGpus.value.taken_at_ms - 3000 * (200 - index);
        return [
          at,
          Math.round(used),
          Math.round(used * 0.8),
          Math.round(used * 0.93)
        ];
      })
    }
  ]
};

/** Three cells in them, the last of which ran out of memory. */
const CELLS = {
  wire_version: 1,
  cells: [0, 1, 2].map(index => ({
    cell: index + 1,
    cell_id: `cell-${index}`,
    execution_count: index + 1,
    began_ms: twoGpus.value.taken_at_ms - 420_000 + 180_000 * index,
    duration_ms: 50_000,
    error: index === 2 ? 'OutOfMemoryError' : null,
    out_of_memory: index === 2,
    devices: [
      {
        key: DEVICE?.key,
        allocated_before_bytes: index * 4 * 2 ** 30,
        allocated_after_bytes: (index + 1) * 4 * 2 ** 30,
        peak_allocated_bytes: (index + 2) * 4 * 2 ** 30,
        seen_allocated_bytes: (index + 1) * 4 * 2 ** 30,
        reserved_before_bytes: index * 5 * 2 ** 30,
        reserved_after_bytes: (index + 1) * 5 * 2 ** 30
      }
    ]
  }))
};

test.beforeEach(async ({ page }) => {
  await page.route(`${API}/snapshot*`, route =>
    route.fulfill({ json: twoGpus.value })
  );
  await page.route(`${API}/history*`, route =>
    route.fulfill({ json: HISTORY })
  );
  await page.route(`${API}/diagnostics*`, route =>
    route.fulfill({ json: diagnostics.value })
  );
  await page.route(`${API}/kernels/*/holders*`, route =>
    route.fulfill({ json: holders.value })
  );
  await page.route(`${API}/kernels/*/cells*`, route =>
    route.fulfill({ json: CELLS })
  );
  await page.route(`${API}/kernels/*/free*`, route =>
    route.fulfill({ json: report.value })
  );
  await page.evaluate(() =>
    window.jupyterapp.commands.execute('gpumem:open-panel')
  );
  await expect(kernelRow(page, TRAIN)).toBeVisible();
  await page.sidebar.close('left');
  await page.sidebar.setWidth(320, 'right');
});

test('what holds memory is listed by name, and reads well in light, dark and narrow', async ({
  page
}) => {
  const row = kernelRow(page, TRAIN);
  await row
    .getByRole('button', { name: `What holds memory in ${TRAIN}` })
    .click();
  const table = row.getByRole('treegrid');
  await expect(
    table.getByRole('row', { name: /last exception/ })
  ).toContainText('6.1 GiB');
  await expect(table).toContainText('not visible to Python');
  await expectAccessible(page, PANEL);
  await shoot(page, PANEL, 'holders-light');

  await table.getByRole('row', { name: /last exception/ }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(
    table.getByRole('row', { name: /float32 64×262144/ })
  ).toBeVisible();
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('cannot be brought back');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.theme.setDarkTheme();
  await expectAccessible(page, PANEL);
  await shoot(page, PANEL, 'holders-dark');
  await page.sidebar.setWidth(250, 'right');
  await shoot(page, PANEL, 'holders-narrow');
  const overflow = await page
    .locator(PANEL)
    .evaluate(element => element.scrollWidth - element.clientWidth);
  expect(overflow).toBe(0);
});

test('the dialogs say what goes, and the report who is left', async ({
  page
}) => {
  await openMenu(page, 'Reset & Free GPU…');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(`Reset & free GPU: ${TRAIN}`);
  await expectAccessible(page, DIALOG);
  await shoot(page, DIALOG, 'reset-dialog');
  await dialog.getByRole('button', { name: 'Only GPU objects…' }).click();

  await expect(dialog).toContainText(`Free GPU objects: ${TRAIN}`);
  await expectAccessible(page, DIALOG);
  await shoot(page, DIALOG, 'objects-dialog');
  await page.theme.setDarkTheme();
  await expectAccessible(page, DIALOG);
  const asked = page.waitForRequest(`${API}/kernels/*/free*`);
  await dialog.getByRole('checkbox', { name: /opt/ }).uncheck();
  await expect(dialog).toContainText('At least 6.1 GiB come free');
  await dialog.getByRole('button', { name: 'Free', exact: true }).click();
  expect((await asked).postDataJSON()).toEqual({
    level: 'objects',
    keep: ['variable:opt']
  });

  const panel = page.locator(PANEL);
  await expect(panel.getByRole('status').first()).toContainText('Freed 13.6');
  await expectAccessible(page, PANEL);
  await page.getByRole('button', { name: 'Hide notification' }).click();
  await shoot(page, PANEL, 'report-dark');
  await page.theme.setLightTheme();
  await expectAccessible(page, PANEL);
  await shoot(page, PANEL, 'report-light');
  await panel.getByRole('button', { name: 'Dismiss' }).click();
  await expect(panel).not.toContainText('Freed 13.6');
});

test('"do not ask again" is remembered and taken back in the settings', async ({
  page
}) => {
  await openMenu(page, 'Reset & Free GPU…');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Do not ask again' }).check();
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect(page.locator(PANEL)).toContainText('Freed 13.6');
  const asked = page.waitForRequest(`${API}/kernels/*/free*`);
  await openMenu(page, 'Reset & Free GPU…');
  expect((await asked).postDataJSON()).toMatchObject({ keep_imports: true });
  await expect(dialog).toBeHidden();
});

test('memory over time is shown with what each cell did, and exported', async ({
  page
}) => {
  await openMenu(page, 'Show GPU Memory over Time');
  const track = page
    .locator('.jp-GpuMem-page')
    .getByRole('region', { name: /^GPU 0/ });
  await expect(track.getByRole('table', { name: 'Cells' })).toContainText(
    'OutOfMemoryError'
  );
  await expectAccessible(page, '.jp-GpuMem-page');
  await shoot(page, '.jp-GpuMem-page', 'timeline');
  const saved = page.waitForEvent('download');
  await track.getByRole('button', { name: /^Export/ }).click();
  expect((await saved).suggestedFilename()).toBe(`${TRAIN}.csv`);
  await page.theme.setDarkTheme();
  await expectAccessible(page, '.jp-GpuMem-page');
});

test('the diagnostics say what works, and can be copied', async ({ page }) => {
  await page
    .locator(PANEL)
    .getByRole('button', { name: 'More about GPU memory' })
    .click();
  await page.getByRole('menuitem', { name: 'GPU Memory Diagnostics' }).click();
  const checks = page.locator('.jp-GpuMem-diagnostics');
  await expect(checks.getByRole('listitem').first()).toContainText(
    'Server extension'
  );
  await expectAccessible(page, '.jp-GpuMem-diagnostics');
  await shoot(page, '.jp-GpuMem-diagnostics', 'diagnostics');
  await checks.getByRole('button', { name: 'Copy' }).click();
  await expect(checks.getByRole('status')).toContainText('Copied');
  await page.theme.setDarkTheme();
  await expectAccessible(page, '.jp-GpuMem-diagnostics');
});

async function openMenu(
  page: IJupyterLabPageFixture,
  entry: string
): Promise<void> {
  await kernelRow(page, TRAIN)
    .getByRole('button', { name: `Free memory of ${TRAIN}`, exact: true })
    .click();
  await page.getByRole('menuitem', { name: entry }).click();
}

async function shoot(
  page: IJupyterLabPageFixture,
  selector: string,
  name: string
): Promise<void> {
  await page
    .locator(selector)
    .screenshot({ path: `${SCREENSHOTS}/${name}.png` });
}
