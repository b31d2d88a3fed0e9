import type { TranslationBundle } from '@jupyterlab/translation';
import { formatBytes } from '../format';
import type { GpuMemModel } from '../model';
import type { ITarget } from '../target';
import type { FreeReport } from '../wire/schema';

// Libraries explain themselves at length; the start of it is what one can search for.
const LONGEST_ERROR = 80;

/**
 * Say what a cleanup brought, the most important first: notifications are cut after 140 characters.
 */
export function reportResult(
  report: FreeReport,
  target: ITarget,
  trans: TranslationBundle
): GpuMemModel.IResult {
  const { name, kernelId } = target;
  const failed = failedWords(report, trans);
  const text = [
    freedWords(report, name, trans),
    heldWords(report, trans),
    contextWords(report, trans),
    failed,
    report.needs_restart ? restartWords(trans) : null
  ];
  const isWhole = failed === null && !report.needs_restart;
  return {
    severity: isWhole ? 'success' : 'warning',
    restartId: report.needs_restart ? kernelId : null,
    text: text.filter(sentence => sentence !== null).join(' '),
    target,
    report
  };
}

/**
 * Say that only a restart helps.
 */
export function restartWords(trans: TranslationBundle): string {
  return trans.__(
    'CUDA is broken in this kernel, as after a failed assertion on the GPU: nothing but a restart helps.'
  );
}

/**
 * What came free.
 */
export function freedWords(
  report: FreeReport,
  name: string,
  trans: TranslationBundle
): string {
  const gpu = freedOnGpu(report);
  const host = report.freed_host_bytes ?? 0;
  if (gpu !== null && gpu > 0) {
    return trans.__('Freed %1 from %2.', formatBytes(gpu, trans), name);
  }
  if (host > 0) {
    return trans.__(
      'Freed %1 of main memory from %2.',
      formatBytes(host, trans),
      name
    );
  }
  if (report.level === 'reset') {
    return trans.__('Reset %1. It held no GPU tensors.', name);
  }
  if (report.level === 'objects') {
    return trans.__('%1 held no GPU objects that can be dropped.', name);
  }
  return trans.__('%1 had no unused cache.', name);
}

/**
 * Bytes the device got back: the allocator's difference, or the tensors that are gone if that is not known.
 */
function freedOnGpu(report: FreeReport): number | null {
  const before = reserved(report.before);
  const after = reserved(report.after);
  if (before !== null && after !== null && before > after) {
    return before - after;
  }
  return report.freed_bytes;
}

function reserved(figures: FreeReport['before']): number | null {
  const known = figures
    .map(device => device.reserved_bytes)
    .filter(value => value !== null);
  return known.length > 0 ? known.reduce((all, value) => all + value, 0) : null;
}

/**
 * How much is held still; null when nothing is, or when nothing was to be dropped.
 */
export function heldWords(
  report: FreeReport,
  trans: TranslationBundle
): string | null {
  const bytes = report.still_held_bytes ?? 0;
  if (bytes === 0 || report.level === 'cache') {
    return null;
  }
  const [largest] = report.still_held;
  if (largest) {
    return trans.__(
      'Still held: %1, the most by %2.',
      formatBytes(bytes, trans),
      largest.path
    );
  }
  return trans.__('Still held: %1.', formatBytes(bytes, trans));
}

/**
 * What goes only with the kernel; null when that is nothing.
 */
export function contextWords(
  report: FreeReport,
  trans: TranslationBundle
): string | null {
  const bytes = report.context_bytes ?? 0;
  if (bytes === 0) {
    return null;
  }
  return trans.__(
    '%1 is the CUDA context and goes only with the kernel.',
    formatBytes(bytes, trans)
  );
}

/**
 * What was dropped, by name.
 */
export function droppedWords(
  report: FreeReport,
  trans: TranslationBundle
): string {
  const names = report.dropped.map(({ path, bytes }) =>
    bytes ? `${path} (${formatBytes(bytes, trans)})` : path
  );
  const more = report.dropped_count - names.length;
  return more > 0
    ? trans.__('%1 and %2 more', names.join(', '), more)
    : names.join(', ');
}

/**
 * Which steps failed; null when none did.
 */
export function failedWords(
  report: FreeReport,
  trans: TranslationBundle
): string | null {
  const failed = report.steps.flatMap(step =>
    step.error === null ? [] : [`${step.name} (${shortened(step.error)})`]
  );
  return failed.length > 0
    ? trans.__('These steps failed: %1.', failed.join(', '))
    : null;
}

function shortened(error: string): string {
  const [line = ''] = error.split('\n');
  return line.length > LONGEST_ERROR
    ? `${line.slice(0, LONGEST_ERROR - 1)}…`
    : line;
}
