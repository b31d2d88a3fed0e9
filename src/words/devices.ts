import type { TranslationBundle } from '@jupyterlab/translation';
import {
  formatBytes,
  formatDuration,
  inUnit,
  percent,
  unitOf
} from '../format';
import type { IShare, ShareKind } from '../shares';
import type { Device, DeviceState } from '../wire/schema';

/**
 * What a device is called, `GPU 0 · NVIDIA RTX 4090`.
 */
export function deviceTitle(device: Device, trans: TranslationBundle): string {
  if (device.kind === 'host') {
    return trans.__('Memory of this computer');
  }
  const short = deviceShortName(device, trans);
  return device.name ? `${short} · ${device.name}` : short;
}

/**
 * What a device is called where space is short, `GPU 0`.
 */
export function deviceShortName(
  device: Device,
  trans: TranslationBundle
): string {
  if (device.kind === 'host') {
    return trans.__('Memory');
  }
  if (device.index === null) {
    return trans.__('GPU');
  }
  return trans.__('GPU %1', device.index);
}

/**
 * What keeps the figures from being whole and new; null when nothing does.
 */
export function deviceTrouble(
  device: Device,
  trans: TranslationBundle
): string | null {
  const words = [stateWords(device.state, trans), staleWords(device, trans)];
  return words.filter(one => one !== null).join(' ') || null;
}

function staleWords(device: Device, trans: TranslationBundle): string | null {
  if (!device.stale || device.age_ms === null) {
    return null;
  }
  return trans.__(
    'These figures are %1 old: the driver does not answer.',
    formatDuration(device.age_ms, trans)
  );
}

/**
 * Name of a part of the bar.
 */
export function shareLabel(
  kind: ShareKind,
  hasCurrent: boolean,
  trans: TranslationBundle
): string {
  switch (kind) {
    case 'tensors':
      return trans.__('tensors');
    case 'cache':
      return trans.__('cache');
    case 'context':
      return trans.__('context and other');
    case 'unsplit':
      return trans.__('this notebook');
    case 'kernels':
      return hasCurrent ? trans.__('other kernels') : trans.__('kernels');
    case 'processes':
      return trans.__('other processes');
    case 'unattributed':
      return trans.__('not attributed');
    case 'driver':
      return trans.__('driver');
    case 'free':
      return trans.__('free');
  }
}

/**
 * What a part of the bar is, in a sentence.
 */
export function shareExplanation(
  kind: ShareKind,
  trans: TranslationBundle
): string {
  switch (kind) {
    case 'tensors':
      return trans.__('Tensors of this notebook that are alive.');
    case 'cache':
      return trans.__(
        'Kept by PyTorch for this notebook, unused at the moment. "Free GPU Cache" gives it back.'
      );
    case 'context':
      return trans.__(
        'CUDA context and libraries of this notebook. Goes only when the kernel ends.'
      );
    case 'unsplit':
      return trans.__(
        'Memory of this notebook. Its kernel has not said how it divides.'
      );
    case 'kernels':
      return trans.__('Memory of kernels of this server.');
    case 'processes':
      return trans.__('Programs that are no kernel of this server.');
    case 'unattributed':
      return trans.__(
        'In use, but no process that can be seen accounts for it: for example programs outside this container.'
      );
    case 'driver':
      return trans.__('Kept by the driver for itself.');
    case 'free':
      return trans.__('Can be allocated.');
  }
}

/**
 * The whole bar in one sentence, for those who do not see it.
 */
export function barSentence(
  device: Device,
  shares: readonly IShare[],
  hasCurrent: boolean,
  trans: TranslationBundle
): string {
  const parts = shares
    .map(
      share =>
        `${shareLabel(share.kind, hasCurrent, trans)} ${formatBytes(share.bytes, trans)}`
    )
    .join(', ');
  const { used_bytes, total_bytes } = device.memory;
  return trans.__(
    '%1: %2 of %3 in use. %4.',
    deviceTitle(device, trans),
    formatBytes(used_bytes, trans),
    formatBytes(total_bytes, trans),
    parts
  );
}

/**
 * One line for the status bar: `GPU 0 · 23.1 / 24.0 GiB (96 %)`.
 */
export function deviceSummary(
  device: Device,
  trans: TranslationBundle
): string {
  const { used_bytes, total_bytes } = device.memory;
  const figures = `${usedIn(device, trans)} / ${formatBytes(total_bytes, trans)}`;
  const text = `${deviceShortName(device, trans)} · ${figures}`;
  const share = percent(used_bytes, total_bytes);
  const full = share === null ? text : `${text} (${share}\u00a0%)`;
  return device.kind === 'simulated' ? trans.__('%1, simulated', full) : full;
}

/**
 * Used memory in the unit of the total, to stand before it.
 */
export function usedIn(device: Device, trans: TranslationBundle): string {
  const { used_bytes, total_bytes } = device.memory;
  return used_bytes !== null && total_bytes !== null
    ? inUnit(used_bytes, unitOf(total_bytes))
    : formatBytes(used_bytes, trans);
}

/**
 * What the device does at the moment, in short; empty when it does not tell.
 */
export function liveFigures(device: Device, trans: TranslationBundle): string {
  const { utilization_pct, temperature_c, power_w } = device;
  const words: string[] = [];
  if (utilization_pct !== null) {
    words.push(trans.__('%1 % busy', utilization_pct));
  }
  if (temperature_c !== null) {
    words.push(trans.__('%1 °C', temperature_c));
  }
  if (power_w !== null) {
    words.push(trans.__('%1 W', Math.round(power_w)));
  }
  return words.join(' · ');
}

function stateWords(
  state: DeviceState,
  trans: TranslationBundle
): string | null {
  switch (state) {
    case 'ok':
      return null;
    case 'partial':
      return trans.__('Some figures of this GPU cannot be read.');
    case 'lost':
      return trans.__(
        'The GPU does not answer any more. The computer, or the container, has to be restarted.'
      );
    case 'reset_required':
      return trans.__(
        'The GPU needs a reset: run "nvidia-smi --gpu-reset", or restart the computer.'
      );
    case 'no_permission':
      return trans.__('This server may not read this GPU.');
    case 'asleep':
      return trans.__('The GPU is asleep and is not woken to be read.');
    case 'error':
      return trans.__('The driver reports an error for this GPU.');
  }
}
