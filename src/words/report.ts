import type { TranslationBundle } from '@jupyterlab/translation';
import { formatBytes } from '../format';
import type { GpuMemModel } from '../model';
import type { FreeReport } from '../wire/schema';

// Libraries explain themselves at length; the start of it is what one can search for.
const LONGEST_ERROR = 80;

/**
 * Say what a cleanup brought, the most important first: notifications are cut after 140 characters.
 */
export function reportResult(
  report: FreeReport,
  name: string,
  trans: TranslationBundle
): GpuMemModel.IResult {
  const failed = failedSteps(report);
  const text = [
    freed(report, name, trans),
    held(report, trans),
    context(report, trans),
    failed.length > 0
      ? trans.__('These steps failed: %1.', failed.join(', '))
      : ''
  ];
  return {
    severity: failed.length > 0 ? 'warning' : 'success',
    text: text.filter(sentence => sentence !== '').join(' ')
  };
}

function freed(
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

function held(report: FreeReport, trans: TranslationBundle): string {
  const bytes = report.still_held_bytes ?? 0;
  if (bytes === 0 || report.level === 'cache') {
    return '';
  }
  return trans.__('Still held: %1.', formatBytes(bytes, trans));
}

function context(report: FreeReport, trans: TranslationBundle): string {
  const bytes = report.context_bytes ?? 0;
  if (bytes === 0) {
    return '';
  }
  return trans.__(
    '%1 is the CUDA context and goes only with the kernel.',
    formatBytes(bytes, trans)
  );
}

function failedSteps(report: FreeReport): string[] {
  return report.steps.flatMap(step =>
    step.error === null ? [] : [`${step.name} (${shortened(step.error)})`]
  );
}

function shortened(error: string): string {
  const [line = ''] = error.split('\n');
  return line.length > LONGEST_ERROR
    ? `${line.slice(0, LONGEST_ERROR - 1)}…`
    : line;
}
