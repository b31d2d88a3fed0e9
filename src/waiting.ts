import type { TranslationBundle } from '@jupyterlab/translation';
import type { IDisposable } from '@lumino/disposable';
import { failureOf, RequestFailed } from './failure';
import { type GpuMemModel, lastOf } from './model';
import type { ITarget } from './target';
import type { FreeStatus } from './wire/schema';
import { asksForRestart, freeFailure } from './words/failures';
import { reportResult } from './words/report';

/**
 * Follows the cleanups that wait for a running cell, and tells how each has ended.
 */
export class Waiting {
  constructor(options: Waiting.IOptions) {
    this._options = options;
    options.model.changed.connect(this._onChanged, this);
  }

  /**
   * Follow a cleanup that has been accepted for later.
   */
  add(target: ITarget, operationId: string): void {
    this._followed.set(operationId, { target, isSeen: false });
    // The end has to be seen also while no view looks.
    this._watch ??= this._options.model.watch('live');
  }

  private _onChanged(): void {
    const { model } = this._options;
    const kernels = lastOf(model.state)?.snapshot.kernels ?? [];
    for (const [operationId, followed] of this._followed) {
      const { target } = followed;
      const kernel = kernels.find(one => one.id === target.kernelId);
      const isThere = kernel?.operation?.id === operationId;
      // The figures may be older than the request: not there yet is not gone.
      const hasEnded =
        !kernel ||
        kernel.last_free?.id === operationId ||
        (followed.isSeen && !isThere);
      followed.isSeen ||= isThere;
      if (hasEnded) {
        this._followed.delete(operationId);
        void this._tell(target);
      }
    }
    if (this._followed.size === 0) {
      this._watch?.dispose();
      this._watch = null;
    }
  }

  private async _tell(target: ITarget): Promise<void> {
    const result = await this._outcome(target);
    if (result !== null) {
      this._options.tell(result);
      this._options.model.result = result;
    }
  }

  private async _outcome(target: ITarget): Promise<GpuMemModel.IResult | null> {
    const { source, trans } = this._options;
    try {
      const { report, error } = await source.freeStatus(target.kernelId);
      if (error) {
        throw new RequestFailed({ kind: 'refused', ...error });
      }
      return report && reportResult(report, target, trans);
    } catch (error) {
      const failure = failureOf(error);
      return {
        severity: 'error',
        text: freeFailure(failure, target.name, trans),
        restartId: asksForRestart(failure) ? target.kernelId : null,
        target,
        report: null
      };
    }
  }

  private _followed = new Map<string, IFollowed>();
  private readonly _options: Waiting.IOptions;
  private _watch: IDisposable | null = null;
}

/**
 * Types of the waiting.
 */
export namespace Waiting {
  export interface ISource {
    freeStatus(kernelId: string): Promise<FreeStatus>;
  }

  export interface IOptions {
    model: GpuMemModel;
    source: ISource;
    tell: (result: GpuMemModel.IResult) => void;
    trans: TranslationBundle;
  }
}

interface IFollowed {
  readonly target: ITarget;
  isSeen: boolean;
}
