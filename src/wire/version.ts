import type { Fields } from './fields';

/**
 * The contract this page speaks.
 */
export const WIRE_VERSION = 1;

/**
 * The server speaks another contract: page and server come from different releases.
 */
export class WireVersionError extends Error {
  constructor(readonly found: unknown) {
    super(`wire_version: expected ${WIRE_VERSION}, found ${String(found)}`);
    this.name = 'WireVersionError';
  }
}

/**
 * Throw unless the message speaks our contract.
 */
export function checkVersion(fields: Fields): void {
  const found = fields.raw('wire_version');
  if (found !== WIRE_VERSION) {
    throw new WireVersionError(found);
  }
}
