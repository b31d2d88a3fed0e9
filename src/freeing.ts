import type { TranslationBundle } from '@jupyterlab/translation';
import { failureOf } from './failure';
import type { GpuMemModel } from './model';
import type { ITarget } from './target';
import type { FreeReport, FreeRequest } from './wire/schema';
import { freeFailure } from './words/failures';
import { reportResult } from './words/report';

/**
 * Gives memory of a kernel back: asks the user, asks the server, tells the outcome.
 */
export class Freeing {
  constructor(options: Freeing.IOptions) {
    this._options = options;
  }

  /**
   * Drop all that the user made in the kernel, after asking.
   */
  async reset(target: ITarget): Promise<void> {
    const choice = await this._options.ask(target);
    if (choice === null) {
      return;
    }
    await this._run(target, {
      level: 'reset',
      keep_imports: choice.keepImports,
      when_busy: target.isBusy ? 'interrupt' : 'fail'
    });
  }

  /**
   * Give the allocator's unused memory back; nothing is lost, so nothing is asked.
   */
  async freeCache(target: ITarget): Promise<void> {
    await this._run(target, { level: 'cache' });
  }

  private async _run(target: ITarget, request: FreeRequest): Promise<void> {
    const { source, tell, model, trans } = this._options;
    const finish = tell(trans.__('Freeing GPU memory of %1…', target.name));
    try {
      const report = await source.free(target.kernelId, request);
      this._finish(finish, reportResult(report, target.name, trans));
    } catch (error) {
      const failure = failureOf(error);
      const isBusy = failure.kind === 'refused' && failure.reason === 'busy';
      if (isBusy && request.level === 'reset' && !target.isBusy) {
        finish(null);
        // A cell was started while the dialog was open: that changes the question.
        await this.reset({ ...target, isBusy: true });
        return;
      }
      const text = freeFailure(failure, target.name, trans);
      // Nothing is broken when the kernel is at work: the user only has to wait.
      this._finish(finish, { severity: isBusy ? 'warning' : 'error', text });
    }
    await model.refresh();
  }

  private _finish(finish: Freeing.Finish, result: GpuMemModel.IResult): void {
    finish(result);
    this._options.model.result = result;
  }

  private readonly _options: Freeing.IOptions;
}

/**
 * Types of the freeing.
 */
export namespace Freeing {
  /**
   * Who asks the kernel.
   */
  export interface ISource {
    free(kernelId: string, request: FreeRequest): Promise<FreeReport>;
  }

  /**
   * What the user said to a reset.
   */
  export interface IChoice {
    readonly keepImports: boolean;
  }

  /**
   * Tell the outcome; null when there is none to tell.
   */
  export type Finish = (result: GpuMemModel.IResult | null) => void;

  export interface IOptions {
    /**
     * Ask the user; null means no.
     */
    ask: (target: ITarget) => Promise<IChoice | null>;

    /**
     * Tell the user that it has begun; what it returns tells the outcome.
     */
    tell: (text: string) => Finish;
    model: GpuMemModel;
    source: ISource;
    trans: TranslationBundle;
  }
}
