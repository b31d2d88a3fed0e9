import type { Freed } from '../api';
import { RequestFailed } from '../failure';
import type { Freeing } from '../freeing';
import type { GpuMemModel } from '../model';
import type { ITarget } from '../target';
import type { IDecodedSnapshot } from '../wire/decode';
import { decodeFreeReport } from '../wire/decode';
import { decodeHolders } from '../wire/holders';
import type { ErrorReason, FreeRequest, Holders } from '../wire/schema';
import { exampleOf, snapshotOf } from './contract';

/**
 * A kernel to be freed.
 */
export const TARGET: ITarget = {
  kernelId: 'k',
  name: 'train.ipynb',
  kernelName: 'Python 3',
  path: 'train.ipynb',
  isBusy: false,
  reservedBytes: null
};

/**
 * A server whose kernels can be freed; answers what it is told to, in order, and then with the example.
 */
export class FakeServer implements Freeing.ISource, GpuMemModel.ISource {
  readonly asked: FreeRequest[] = [];
  readonly refusals: ErrorReason[] = [];
  cancelled = 0;
  snapshots = 0;

  holders(): Promise<Holders> {
    return Promise.resolve(decodeHolders(exampleOf('holders')));
  }

  cancelFree(): Promise<unknown> {
    this.cancelled++;
    return Promise.resolve(null);
  }

  free(_kernelId: string, request: FreeRequest): Promise<Freed> {
    this.asked.push(request);
    const reason = this.refusals.shift();
    if (reason !== undefined) {
      const failure = { kind: 'refused', reason, message: 'so' } as const;
      return Promise.reject(new RequestFailed(failure));
    }
    if (request.when_busy === 'wait') {
      return Promise.resolve({ kind: 'waiting', operationId: 'op' });
    }
    const report = decodeFreeReport(exampleOf('free-report-reset'));
    return Promise.resolve({ kind: 'done', report });
  }

  snapshot(): Promise<IDecodedSnapshot> {
    this.snapshots++;
    return Promise.resolve(snapshotOf('two-gpus'));
  }
}

/**
 * A user who says the same to every question and remembers what was said to them.
 */
export class FakeUser implements Freeing.IUser {
  constructor(private readonly _answers: Partial<FakeUser.IAnswers> = {}) {}

  readonly questions: ITarget[] = [];
  readonly told: (string | null)[] = [];

  askReset(target: ITarget): Promise<Freeing.ResetAnswer | null> {
    this.questions.push(target);
    return Promise.resolve(this._answers.reset ?? null);
  }

  askBusy(target: ITarget): Promise<Freeing.WhenBusy | null> {
    this.questions.push(target);
    return Promise.resolve(this._answers.busy ?? null);
  }

  askObjects(target: ITarget): Promise<string[] | null> {
    this.questions.push(target);
    return Promise.resolve(this._answers.keep ?? null);
  }

  askRemove(target: ITarget): Promise<boolean> {
    this.questions.push(target);
    return Promise.resolve(this._answers.remove ?? false);
  }

  tell(text: string): Freeing.Finish {
    this.told.push(text);
    return result =>
      this.told.push(result && `${result.severity}: ${result.text}`);
  }
}

/**
 * Types of the user.
 */
export namespace FakeUser {
  export interface IAnswers {
    reset: Freeing.ResetAnswer;
    busy: Freeing.WhenBusy;
    keep: string[];
    remove: boolean;
  }
}
