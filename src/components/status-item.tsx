import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { percent } from '../format';
import { type GpuMemModel, lastOf } from '../model';
import type { Device } from '../wire/schema';
import { deviceSummary } from '../words/devices';
import { failureNotice } from '../words/failures';

interface IProps {
  state: GpuMemModel.State;
  /** From this share on it warns. */
  warnPercent: number;
  onClick: () => void;
  trans: TranslationBundle;
}

/**
 * The fullest device in one line; nothing as long as there is none.
 */
export function StatusItem(props: IProps): React.ReactElement | null {
  const { state, warnPercent, onClick, trans } = props;
  const devices = lastOf(state)?.snapshot.devices ?? [];
  const fullest = fullestOf(devices);
  if (fullest === null) {
    return null;
  }
  const isFull = fullest.kind !== 'host' && fullness(fullest) >= warnPercent;
  const title =
    state.kind === 'failed'
      ? failureNotice(state.failure, trans).title
      : devices.map(device => deviceSummary(device, trans)).join('\n');
  return (
    <button
      type="button"
      className="jp-GpuMem-status"
      data-full={isFull || undefined}
      data-old={state.kind === 'failed' || undefined}
      title={title}
      onClick={onClick}
    >
      {isFull
        ? trans.__('%1, almost full', deviceSummary(fullest, trans))
        : deviceSummary(fullest, trans)}
    </button>
  );
}

/**
 * GPUs before the memory of the computer: that one is always well used.
 */
function fullestOf(devices: readonly Device[]): Device | null {
  const gpus = devices.filter(device => device.kind !== 'host');
  const shown = gpus.length > 0 ? gpus : devices;
  const sorted = [...shown].sort((a, b) => fullness(b) - fullness(a));
  return sorted[0] ?? null;
}

function fullness(device: Device): number {
  return percent(device.memory.used_bytes, device.memory.total_bytes) ?? -1;
}
