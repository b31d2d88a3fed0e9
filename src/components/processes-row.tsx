import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { formatBytes } from '../format';
import type { Device, Process } from '../wire/schema';
import { processesWords } from '../words/processes';

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
  const bytes = gpus.reduce((all, gpu) => all + (gpu.other_bytes ?? 0), 0);
  // The server may tell their sum and nothing else, by its setting.
  if (others.length === 0 && bytes === 0) {
    return null;
  }
  return (
    <li className="jp-GpuMem-kernel" aria-label={trans.__('other processes')}>
      <div className="jp-GpuMem-row">
        <span className="jp-GpuMem-dot" data-none aria-hidden="true" />
        <span className="jp-GpuMem-name">{trans.__('other processes')}</span>
        <span className="jp-GpuMem-number">
          {formatBytes(isUnknown(others) ? null : bytes, trans)}
        </span>
        <span className="jp-GpuMem-free" data-none aria-hidden="true" />
      </div>
      <p className="jp-GpuMem-sub">{processesWords(others, trans)}</p>
    </li>
  );
}

function isUnknown(processes: readonly Process[]): boolean {
  return (
    processes.length > 0 &&
    processes.every(process => process.used_bytes === null)
  );
}
