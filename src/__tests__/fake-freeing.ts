import { RequestFailed } from '../failure';
import type { Freeing } from '../freeing';
import type { GpuMemModel } from '../model';
import type { ITarget } from '../target';
import type { IDecodedSnapshot } from '../wire/decode';
import { decodeFreeReport } from '../wire/decode';
import type { ErrorReason, FreeReport, FreeRequest } from '../wire/schema';
import { exampleOf, snapshotOf } from './contract';

/**
 * A server whose kernels can be freed; answers what it is told to, in order, and then with the example.
 */
export class FakeServer implements Freeing.ISource, GpuMemModel.ISource {
  readonly asked: FreeRequest[] = [];
  readonly refusals: ErrorReason[] = [];
  snapshots = 0;

  free(_kernelId: string, request: FreeRequest): Promise<FreeReport> {
    this.asked.push(request);
    const reason = this.refusals.shift();
    if (reason !== undefined) {
      const failure = { kind: 'refused', reason, message: 'so' } as const;
      return Promise.reject(new RequestFailed(failure));
    }
    return Promise.resolve(decodeFreeReport(exampleOf('free-report-reset')));
  }

  snapshot(): Promise<IDecodedSnapshot> {
    this.snapshots++;
    return Promise.resolve(snapshotOf('two-gpus'));
  }
}

/**
 * A user who says the same to every question and remembers what was said to them.
 */
export class FakeUser {
  constructor(private readonly _choice: Freeing.IChoice | null) {}

  readonly questions: ITarget[] = [];
  readonly told: (string | null)[] = [];

  ask = (target: ITarget): Promise<Freeing.IChoice | null> => {
    this.questions.push(target);
    return Promise.resolve(this._choice);
  };

  tell = (text: string): Freeing.Finish => {
    this.told.push(text);
    return result =>
      this.told.push(result && `${result.severity}: ${result.text}`);
  };
}
