import type { IDecodedSnapshot } from './wire/decode';
import type { Device } from './wire/schema';

/**
 * The newer snapshot made of the objects of the older one wherever nothing but time has passed, so that
 * views tell by identity what they need not draw again.
 */
export function shareOld(
  older: IDecodedSnapshot | null,
  newer: IDecodedSnapshot
): IDecodedSnapshot {
  if (older === null) {
    return newer;
  }
  const known = older.snapshot;
  const { snapshot } = newer;
  return {
    problems:
      asText(older.problems) === asText(newer.problems)
        ? older.problems
        : newer.problems,
    snapshot: {
      ...snapshot,
      providers: shareList(known.providers, snapshot.providers, asText),
      devices: shareList(known.devices, snapshot.devices, deviceText),
      kernels: shareList(known.kernels, snapshot.kernels, asText)
    }
  };
}

/**
 * Whether two snapshots, the newer made by `shareOld`, differ in nothing but their time.
 */
export function differInTimeOnly(
  older: IDecodedSnapshot,
  newer: IDecodedSnapshot
): boolean {
  const names = ['providers', 'devices', 'kernels'] as const;
  return (
    older.problems === newer.problems &&
    older.snapshot.interval_ms === newer.snapshot.interval_ms &&
    names.every(name => older.snapshot[name] === newer.snapshot[name])
  );
}

function shareList<T>(
  older: T[],
  newer: T[],
  textOf: (item: T) => string
): T[] {
  const known = new Map(older.map(item => [textOf(item), item]));
  const shared = newer.map(item => known.get(textOf(item)) ?? item);
  const isSame =
    shared.length === older.length &&
    shared.every((item, index) => item === older[index]);
  return isSame ? older : shared;
}

/** How old new enough figures are is shown nowhere. */
function deviceText(device: Device): string {
  return asText(device.stale ? device : { ...device, age_ms: null });
}

/** The decoder puts the members of all objects together in the same order. */
function asText(value: unknown): string {
  return JSON.stringify(value);
}
