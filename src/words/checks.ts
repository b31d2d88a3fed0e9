import type { TranslationBundle } from '@jupyterlab/translation';
import type { CheckState, Diagnostics } from '../wire/schema';
import { hintWords } from './hints';

/**
 * What was looked at.
 */
export function checkName(name: string, trans: TranslationBundle): string {
  switch (name) {
    case 'server':
      return trans.__('Server extension');
    case 'binding':
      return trans.__('Python binding of NVML');
    case 'library':
      return trans.__('Driver library');
    case 'driver':
      return trans.__('Driver');
    case 'pid_namespace':
      return trans.__('Process ids');
    case 'provider':
      return trans.__('Source of figures');
    case 'device':
      return trans.__('Device');
    case 'kernel':
      return trans.__('Kernel');
    default:
      return name;
  }
}

/**
 * How a check came out, in a word.
 */
export function checkStateName(
  state: CheckState,
  trans: TranslationBundle
): string {
  switch (state) {
    case 'ok':
      return trans.__('works');
    case 'info':
      return trans.__('note');
    case 'warning':
      return trans.__('incomplete');
    case 'error':
      return trans.__('broken');
  }
}

/**
 * All checks as plain text, to be put into a report.
 */
export function diagnosticsText(
  diagnostics: Diagnostics,
  trans: TranslationBundle
): string {
  const lines = diagnostics.checks.map(({ name, state, detail, hint }) => {
    const words = hint === null ? null : hintWords(hint, trans);
    const remedy = words === null ? '' : `\n  -> ${words}`;
    return `[${checkStateName(state, trans)}] ${checkName(name, trans)}: ${detail}${remedy}`;
  });
  return `${lines.join('\n')}\n`;
}
