import type { IJupyterLabPageFixture } from '@jupyterlab/galata';
import { expect, type Locator } from '@playwright/test';

/**
 * A notebook with given cells, open and with its kernel ready.
 */
export class Notebook {
  private constructor(page: IJupyterLabPageFixture, name: string) {
    this._page = page;
    this.name = name;
  }

  /**
   * Write the notebook to the server and open it.
   */
  static async open(
    page: IJupyterLabPageFixture,
    folder: string,
    name: string,
    cells: readonly string[]
  ): Promise<Notebook> {
    const content = {
      cells: cells.map((source, index) => ({
        cell_type: 'code',
        execution_count: null,
        id: `cell-${index}`,
        metadata: {},
        outputs: [],
        source
      })),
      metadata: {
        kernelspec: {
          display_name: 'Python 3',
          language: 'python',
          name: 'python3'
        }
      },
      nbformat: 4,
      nbformat_minor: 5
    };
    const path = `${folder}/${name}`;
    await page.contents.uploadContent(JSON.stringify(content), 'text', path);
    await page.notebook.openByPath(path);
    await page.notebook.activate(name);
    await page.locator('#jp-main-statusbar').getByText('Idle').waitFor();
    return new Notebook(page, name);
  }

  /**
   * The button in the notebook's toolbar.
   */
  get resetButton(): Locator {
    return this._page
      .getByRole('tabpanel', { name: this.name })
      .getByRole('button', { name: 'Reset & free GPU' });
  }

  /**
   * Run a cell to its end and return the text it put out.
   */
  async run(index: number): Promise<string> {
    await this._page.notebook.runCell(index, { inplace: true });
    const outputs = await this._page.notebook.getCellTextOutput(index);
    return outputs?.join('\n') ?? '';
  }

  /**
   * Start a cell and wait until the kernel is busy with it.
   */
  async start(index: number): Promise<void> {
    await this._page.notebook.runCell(index, { inplace: true, wait: false });
    await expect(
      this._page.locator('#jp-main-statusbar').getByText('Busy')
    ).toBeVisible();
  }

  /**
   * Number that the last run gave to the cell.
   */
  async count(index: number): Promise<number> {
    const cell = await this._page.notebook.getCellLocator(index);
    const prompt = await cell?.locator('.jp-InputPrompt').textContent();
    return Number(prompt?.match(/\d+/)?.[0] ?? NaN);
  }

  readonly name: string;
  private readonly _page: IJupyterLabPageFixture;
}
