import type { TranslationBundle } from '@jupyterlab/translation';
import { formatBytes } from '../format';
import type { Holders } from '../wire/schema';

const NAMED = 3;
// JupyterLab cuts notifications after 140 characters.
const LONGEST_NAME = 22;

/**
 * Say that a cell ran out of memory, and what holds the most.
 */
export function oomWords(
  name: string,
  count: number | null,
  holders: Holders | null,
  trans: TranslationBundle
): string {
  const what =
    count === null
      ? trans.__('%1 ran out of GPU memory.', name)
      : trans.__('Cell %1 of %2 ran out of GPU memory.', count, name);
  const largest = (holders?.holders ?? [])
    .filter(holder => holder.reaches_bytes > 0)
    .slice(0, NAMED)
    .map(
      ({ path, reaches_bytes }) =>
        `${shortened(path)} ${formatBytes(reaches_bytes, trans)}`
    );
  return largest.length > 0
    ? `${what} ${trans.__('Held by: %1.', largest.join(', '))}`
    : what;
}

function shortened(path: string): string {
  return path.length > LONGEST_NAME
    ? `${path.slice(0, LONGEST_NAME - 1)}…`
    : path;
}
