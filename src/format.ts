import type { TranslationBundle } from '@jupyterlab/translation';

/**
 * A binary unit of size.
 */
export interface IUnit {
  readonly name: string;
  readonly bytes: number;
}

const UNITS: readonly [IUnit, ...IUnit[]] = [
  { name: 'TiB', bytes: 2 ** 40 },
  { name: 'GiB', bytes: 2 ** 30 },
  { name: 'MiB', bytes: 2 ** 20 },
  { name: 'KiB', bytes: 2 ** 10 }
];
const BYTE: IUnit = { name: 'B', bytes: 1 };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * The unit in which a size reads best.
 */
export function unitOf(bytes: number): IUnit {
  // From 999.95 on it would be rounded to "1000.0": the next unit says "1.0".
  return UNITS.find(unit => bytes >= 0.9765 * unit.bytes) ?? BYTE;
}

/**
 * A size as a bare number of the given unit.
 */
export function inUnit(bytes: number, unit: IUnit): string {
  const value = bytes / unit.bytes;
  if (unit.bytes === 1) {
    return String(Math.round(value));
  }
  if (value > 0 && value < 0.05) {
    return '<0.1';
  }
  // A tenth of a MiB is noise; a tenth of a GiB is not.
  return value.toFixed(value >= 10 && unit.bytes < 2 ** 30 ? 0 : 1);
}

/**
 * A size with its unit, or the word for an unknown one.
 */
export function formatBytes(
  bytes: number | null,
  trans: TranslationBundle
): string {
  if (bytes === null) {
    return trans.__('unknown');
  }
  const unit = unitOf(bytes);
  return `${inUnit(bytes, unit)}\u00a0${unit.name}`;
}

/**
 * A share in per cent, null when it cannot be told.
 */
export function percent(
  part: number | null,
  whole: number | null
): number | null {
  if (part === null || whole === null || whole <= 0) {
    return null;
  }
  return Math.round((100 * part) / whole);
}

/**
 * A length of time, in the largest unit that leaves a whole number.
 */
export function formatDuration(ms: number, trans: TranslationBundle): string {
  const time = Math.max(0, ms);
  if (time < MINUTE) {
    return trans.__('%1\u00a0s', Math.round(time / SECOND));
  }
  if (time < HOUR) {
    return trans.__('%1\u00a0min', Math.floor(time / MINUTE));
  }
  if (time < DAY) {
    return trans.__('%1\u00a0h', Math.floor(time / HOUR));
  }
  return trans.__('%1\u00a0d', Math.floor(time / DAY));
}

/**
 * A moment of today as the clock of this computer shows it.
 */
export function formatClock(epochMs: number): string {
  return new Date(epochMs).toLocaleTimeString();
}
