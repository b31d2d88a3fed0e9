import type { TranslationBundle } from '@jupyterlab/translation';
import { formatBytes, formatDuration, type IUnit, inUnit } from '../format';
import { type IHolding, type IPart, isBusy } from '../holdings';
import type { IPreferences } from '../preferences';
import type { Kernel } from '../wire/schema';
import { deviceShortName } from './devices';

/**
 * Between two figures of a line; a line may break after it only.
 */
export const SEPARATOR = '\u00a0· ';

/**
 * What the kernel does: running, idle since when.
 */
export function activityWords(
  kernel: Kernel,
  nowMs: number,
  trans: TranslationBundle
): string {
  if (isBusy(kernel)) {
    return trans.__('running a cell');
  }
  if (kernel.execution_state !== 'idle') {
    return kernel.execution_state;
  }
  const idleMs = nowMs - (kernel.last_activity_ms ?? nowMs);
  return idleMs < 60_000
    ? trans.__('idle')
    : trans.__('idle for %1', formatDuration(idleMs, trans));
}

/**
 * What a cleanup waits for or does; null when there is none.
 */
export function operationWords(
  kernel: Kernel,
  trans: TranslationBundle
): string | null {
  switch (kernel.operation?.state) {
    case undefined:
      return null;
    case 'waiting':
      return kernel.operation?.level === 'reset'
        ? trans.__('Is reset when the running cell has ended.')
        : trans.__('Memory is freed when the running cell has ended.');
    case 'interrupting':
      return trans.__('Interrupting the cell…');
    case 'running':
      return trans.__('Freeing memory…');
  }
}

/**
 * That the last cell ran out of memory; null when it did not, or has been tried again.
 */
export function outOfMemoryWords(
  kernel: Kernel,
  trans: TranslationBundle
): string | null {
  const cell = kernel.last_cell;
  const freedMs = kernel.last_free?.ended_at_ms ?? 0;
  if (
    !cell?.out_of_memory ||
    isBusy(kernel) ||
    freedMs > cell.began_ms + cell.duration_ms
  ) {
    return null;
  }
  return cell.execution_count === null
    ? trans.__('The last cell ran out of memory.')
    : trans.__('Cell %1 ran out of memory.', cell.execution_count);
}

/**
 * Point out a kernel that has held much for long without doing anything; null when it is not so.
 */
export function idleWords(
  holding: IHolding,
  nowMs: number,
  preferences: IPreferences,
  trans: TranslationBundle
): string | null {
  const { kernel, bytes } = holding;
  const { idleMinutes, idleGib } = preferences;
  const idleMs = nowMs - (kernel.last_activity_ms ?? nowMs);
  const isIdle = kernel.execution_state === 'idle' && kernel.operation === null;
  if (
    !isIdle ||
    bytes === null ||
    idleMinutes === 0 ||
    idleMs < idleMinutes * 60_000 ||
    bytes < idleGib * 2 ** 30
  ) {
    return null;
  }
  return trans.__(
    'Idle for %1 and holding %2.',
    formatDuration(idleMs, trans),
    formatBytes(bytes, trans)
  );
}

/**
 * How the memory on one device divides, in the given unit; null when the kernel has not told.
 */
export function partWords(
  part: IPart,
  unit: IUnit,
  namesDevice: boolean,
  trans: TranslationBundle
): string | null {
  const { allocated_bytes, reserved_bytes, context_bytes } = part.figures;
  if (allocated_bytes === null || reserved_bytes === null) {
    return null;
  }
  const cache = Math.max(0, reserved_bytes - allocated_bytes);
  const words = [
    trans.__('tensors\u00a0%1', inUnit(allocated_bytes, unit)),
    trans.__('cache\u00a0%1', inUnit(cache, unit))
  ];
  if (context_bytes !== null) {
    words.push(trans.__('context\u00a0%1', inUnit(context_bytes, unit)));
  }
  const text = words.join(SEPARATOR);
  return namesDevice ? `${deviceShortName(part.device, trans)}: ${text}` : text;
}

/**
 * How old the kernel's figures are, when that matters: an idle kernel's do not change.
 */
export function ageWords(
  kernel: Kernel,
  nowMs: number,
  intervalMs: number,
  trans: TranslationBundle
): string | null {
  const { sampled_at_ms } = kernel.agent;
  const ageMs = nowMs - (sampled_at_ms ?? nowMs);
  if (!isBusy(kernel) || ageMs < 2 * intervalMs) {
    return null;
  }
  return trans.__('figures %1 old', formatDuration(ageMs, trans));
}

/**
 * Why the kernel does not say how its memory divides; null when it does.
 */
export function agentWords(
  kernel: Kernel,
  trans: TranslationBundle
): string | null {
  const { agent } = kernel;
  switch (agent.state) {
    case 'attached':
      return null;
    case 'waiting':
      return isBusy(kernel)
        ? trans.__('Details come when the running cell has finished.')
        : trans.__('Details come as soon as the kernel is ready.');
    case 'unsupported':
      return trans.__('Not a Python kernel: total only, cannot be freed.');
    case 'off':
      return trans.__('Details are switched off (GpuMem.attach).');
    case 'failed':
      return agent.reason
        ? trans.__('No details: %1. Restart the kernel.', agent.reason)
        : trans.__('No details. Restart the kernel.');
  }
}
