import type { TranslationBundle } from '@jupyterlab/translation';
import type { Freed } from './api';
import { failureOf } from './failure';
import type { GpuMemModel } from './model';
import type { IPreferences } from './preferences';
import type { ITarget } from './target';
import type { Waiting } from './waiting';
import type { FreeRequest, Holders } from './wire/schema';
import { asksForRestart, freeFailure } from './words/failures';
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
    const { preferences, user } = this._options;
    const { askBeforeReset, keepImports } = preferences();
    const answer =
      askBeforeReset || target.isBusy
        ? await user.askReset(target)
        : ({ kind: 'go', whenBusy: 'fail', keepImports } as const);
    switch (answer?.kind) {
      case undefined:
        return;
      case 'objects':
        return this.objects(target);
      case 'go':
        return this._run(target, {
          level: 'reset',
          keep_imports: answer.keepImports,
          when_busy: answer.whenBusy
        });
    }
  }

  /**
   * Drop what reaches GPU memory, after showing what that is.
   */
  async objects(target: ITarget): Promise<void> {
    const { preferences, user } = this._options;
    if (target.isBusy) {
      const whenBusy = await user.askBusy(target);
      if (whenBusy !== null) {
        await this._run(target, { level: 'objects', when_busy: whenBusy });
      }
      return;
    }
    if (!preferences().askBeforeObjects) {
      return this._run(target, { level: 'objects' });
    }
    const holders = await this._look(target);
    const keep = holders && (await user.askObjects(target, holders));
    if (keep) {
      await this._run(target, { level: 'objects', keep });
    }
  }

  /**
   * Give up one holder and nothing else, after asking.
   */
  async remove(target: ITarget, holder: Freeing.IHolder): Promise<void> {
    if (await this._options.user.askRemove(target, holder)) {
      await this._run(target, { level: 'objects', ids: [holder.id] });
    }
  }

  /**
   * Give the allocator's unused memory back; nothing is lost, so nothing is asked.
   */
  async freeCache(target: ITarget): Promise<void> {
    await this._run(target, { level: 'cache' });
  }

  /**
   * Call off what waits for the running cell.
   */
  async cancel(target: ITarget): Promise<void> {
    const { source, model } = this._options;
    try {
      await source.cancelFree(target.kernelId);
    } catch (error) {
      this._fail(target, error, () => undefined);
    }
    await model.refresh();
  }

  private async _look(target: ITarget): Promise<Holders | null> {
    const { source, user, trans } = this._options;
    const finish = user.tell(
      trans.__('Looking for GPU objects of %1…', target.name)
    );
    try {
      const holders = await source.holders(target.kernelId);
      finish(null);
      return holders;
    } catch (error) {
      this._fail(target, error, finish);
      return null;
    }
  }

  private async _run(target: ITarget, request: FreeRequest): Promise<void> {
    const { source, user, model, waiting, trans } = this._options;
    const finish = user.tell(
      trans.__('Freeing GPU memory of %1…', target.name)
    );
    try {
      const freed = await source.free(target.kernelId, request);
      if (freed.kind === 'waiting') {
        finish(null);
        waiting.add(target, freed.operationId);
      } else {
        this._finish(finish, reportResult(freed.report, target, trans));
      }
    } catch (error) {
      const askAgain = this._questionOf(request);
      if (isBusy(error) && !target.isBusy && askAgain) {
        finish(null);
        // A cell was started while the dialog was open: that changes the question.
        return askAgain({ ...target, isBusy: true });
      }
      this._fail(target, error, finish);
    }
    await model.refresh();
  }

  /** Nothing is asked for the cache; what was chosen by name may be another thing when the cell has ended. */
  private _questionOf(
    request: FreeRequest
  ): ((target: ITarget) => Promise<void>) | null {
    if (request.level === 'cache' || request.ids) {
      return null;
    }
    return request.level === 'reset'
      ? target => this.reset(target)
      : target => this.objects(target);
  }

  private _fail(target: ITarget, error: unknown, finish: Freeing.Finish): void {
    const failure = failureOf(error);
    this._finish(finish, {
      // Nothing is broken when the kernel is at work: the user only has to wait.
      severity: isBusy(error) ? 'warning' : 'error',
      text: freeFailure(failure, target.name, this._options.trans),
      restartId: asksForRestart(failure) ? target.kernelId : null,
      target,
      report: null
    });
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
    free(kernelId: string, request: FreeRequest): Promise<Freed>;
    holders(kernelId: string): Promise<Holders>;
    cancelFree(kernelId: string): Promise<unknown>;
  }

  /**
   * A holder by its id and the name it is shown by.
   */
  export interface IHolder {
    readonly id: string;
    readonly path: string;
  }

  /**
   * What to do with a running cell.
   */
  export type WhenBusy = NonNullable<FreeRequest['when_busy']>;

  /**
   * What the user said to a reset: do it so, or rather choose among the objects.
   */
  export type ResetAnswer =
    | {
        readonly kind: 'go';
        readonly whenBusy: WhenBusy;
        readonly keepImports: boolean;
      }
    | { readonly kind: 'objects' };

  /**
   * Tell the outcome; null when there is none to tell.
   */
  export type Finish = (result: GpuMemModel.IResult | null) => void;

  /**
   * Who is asked and told; null means no.
   */
  export interface IUser {
    askReset(target: ITarget): Promise<ResetAnswer | null>;
    askBusy(target: ITarget): Promise<WhenBusy | null>;

    /** Returns the ids of what is to be kept. */
    askObjects(target: ITarget, holders: Holders): Promise<string[] | null>;

    askRemove(target: ITarget, holder: IHolder): Promise<boolean>;

    /** Tells that something has begun; what it returns tells the outcome. */
    tell(text: string): Finish;
  }

  export interface IOptions {
    model: GpuMemModel;
    preferences: () => IPreferences;
    source: ISource;
    trans: TranslationBundle;
    user: IUser;
    waiting: Pick<Waiting, 'add'>;
  }
}

function isBusy(error: unknown): boolean {
  const failure = failureOf(error);
  return failure.kind === 'refused' && failure.reason === 'busy';
}
