import { Fields } from './fields';
import { CHECK_STATES } from './members';
import type { Check, Diagnostics } from './schema';
import { checkVersion, WIRE_VERSION } from './version';

/**
 * Check an answer of GET diagnostics.
 */
export function decodeDiagnostics(body: unknown): Diagnostics {
  const fields = new Fields(body, '');
  checkVersion(fields);
  return {
    wire_version: WIRE_VERSION,
    taken_at_ms: fields.integer('taken_at_ms'),
    checks: fields.list('checks', readCheck)
  };
}

function readCheck(fields: Fields): Check {
  return {
    name: fields.string('name'),
    state: fields.oneOf('state', CHECK_STATES),
    detail: fields.string('detail'),
    hint: fields.stringOrNull('hint')
  };
}
