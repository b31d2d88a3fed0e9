import type { TranslationBundle } from '@jupyterlab/translation';
import type { Process } from '../wire/schema';

/**
 * Say what programs they are that belong to no running kernel; empty when none is listed.
 */
export function processesWords(
  processes: readonly Process[],
  trans: TranslationBundle
): string {
  const named = new Set<string>();
  const unnamed = new Set<number>();
  const unknown = new Set<number>();
  for (const process of processes) {
    if (process.relation === 'unknown') {
      unknown.add(process.pid);
    } else if (process.name === null) {
      unnamed.add(process.pid);
    } else {
      named.add(nameOf(process, process.name, trans));
    }
  }
  const words = [...named];
  if (unnamed.size > 0) {
    words.push(
      trans._n('%1 of another user', '%1 of other users', unnamed.size)
    );
  }
  if (unknown.size > 0) {
    words.push(
      trans._n(
        '%1 that this container cannot identify, perhaps a kernel',
        '%1 that this container cannot identify, perhaps kernels',
        unknown.size
      )
    );
  }
  return words.join(', ');
}

function nameOf(
  process: Process,
  name: string,
  trans: TranslationBundle
): string {
  return process.relation === 'orphan'
    ? trans.__('%1 (%2), left behind by a kernel', name, process.pid)
    : `${name} (${process.pid})`;
}
