import type { ErrorReason } from './wire/schema';

/**
 * Why a request brought no answer that can be used.
 */
export type Failure =
  /** No answer at all. */
  | { readonly kind: 'unreachable' }
  /** The server has no such route: its half of the extension is not enabled. */
  | { readonly kind: 'not_enabled' }
  /** Not signed in, or not allowed. */
  | { readonly kind: 'not_allowed' }
  /** Page and server come from different releases. */
  | { readonly kind: 'wrong_version' }
  /** An answer outside the contract. */
  | { readonly kind: 'bad_answer'; readonly detail: string }
  /** The server says no, in the words of the contract. */
  | {
      readonly kind: 'refused';
      readonly reason: ErrorReason;
      readonly message: string;
    };

/**
 * A request failed in a way that can be told to the user.
 */
export class RequestFailed extends Error {
  constructor(readonly failure: Failure) {
    super(describe(failure));
    this.name = 'RequestFailed';
  }
}

/**
 * The failure behind whatever was thrown.
 */
export function failureOf(thrown: unknown): Failure {
  return thrown instanceof RequestFailed
    ? thrown.failure
    : { kind: 'bad_answer', detail: String(thrown) };
}

function describe(failure: Failure): string {
  switch (failure.kind) {
    case 'refused':
      return `${failure.reason}: ${failure.message}`;
    case 'bad_answer':
      return `${failure.kind}: ${failure.detail}`;
    case 'unreachable':
    case 'not_enabled':
    case 'not_allowed':
    case 'wrong_version':
      return failure.kind;
  }
}
