import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { formatBytes } from '../format';
import type { Device, Process } from '../wire/schema';

interface IProps {
  devices: readonly Device[];
  trans: TranslationBundle;
}

/**
 * What programs hold that are no kernel of this server; nothing when there are none.
 */
export function ProcessesRow(props: IProps): React.ReactElement | null {
  const { devices, trans } = props;
  const gpus = devices.filter(device => device.kind !== 'host');
  const others = gpus
    .flatMap(device => device.processes ?? [])
    .filter(process => process.kernel_id === null);
  if (others.length === 0) {
    return null;
  }
  const bytes = gpus.reduce((all, gpu) => all + (gpu.other_bytes ?? 0), 0);
  return (
    <li className="jp-GpuMem-kernel" aria-label={trans.__('other processes')}>
      <div className="jp-GpuMem-row">
        <span className="jp-GpuMem-dot" data-none aria-hidden="true" />
        <span className="jp-GpuMem-name">{trans.__('other processes')}</span>
        <span className="jp-GpuMem-number">
          {formatBytes(isAllUnknown(others) ? null : bytes, trans)}
        </span>
        <span className="jp-GpuMem-free" data-none aria-hidden="true" />
      </div>
      <p className="jp-GpuMem-sub">{describe(others, trans)}</p>
    </li>
  );
}

function isAllUnknown(processes: readonly Process[]): boolean {
  return processes.every(process => process.used_bytes === null);
}

function describe(
  processes: readonly Process[],
  trans: TranslationBundle
): string {
  const named = new Set<string>();
  const unnamed = new Set<number>();
  for (const { name, pid } of processes) {
    if (name === null) {
      unnamed.add(pid);
    } else {
      named.add(`${name} (${pid})`);
    }
  }
  const words = [...named];
  if (unnamed.size > 0) {
    words.push(
      trans._n('%1 of another user', '%1 of other users', unnamed.size)
    );
  }
  return words.join(', ');
}
