import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { formatBytes, unitOf } from '../format';
import { sharesOf } from '../shares';
import type { Device, Kernel } from '../wire/schema';
import { deviceTitle, deviceTrouble, usedIn } from '../words/devices';
import { Bar, Legend } from './bar';

interface IProps {
  device: Device;
  kernels: readonly Kernel[];
  currentId: string | null;
  trans: TranslationBundle;
}

/**
 * One device: name, used and total, who holds what.
 */
export function DeviceCard(props: IProps): React.ReactElement {
  const { device, kernels, currentId, trans } = props;
  const total = device.memory.total_bytes;
  const title = deviceTitle(device, trans);
  const trouble = deviceTrouble(device, trans);
  const shares = sharesOf(device, kernels, currentId);
  const hasCurrent = kernels.some(kernel => kernel.id === currentId);
  const bar = { device, shares, hasCurrent, trans, unit: unitOf(total ?? 0) };
  return (
    <section className="jp-GpuMem-card" aria-label={title}>
      <div className="jp-GpuMem-row">
        <h3 className="jp-GpuMem-name" title={title}>
          {title}
        </h3>
        <Used device={device} trans={trans} />
      </div>
      {total !== null && device.memory.used_bytes !== null && (
        <>
          <Bar {...bar} />
          <Legend {...bar} />
        </>
      )}
      <Footer device={device} trans={trans} />
      {trouble !== null && <p className="jp-GpuMem-trouble">{trouble}</p>}
    </section>
  );
}

function Footer(props: {
  device: Device;
  trans: TranslationBundle;
}): React.ReactElement | null {
  const { device, trans } = props;
  const isSimulated = device.kind === 'simulated';
  const live = liveFigures(device, trans);
  if (!isSimulated && live === '') {
    return null;
  }
  return (
    <div className="jp-GpuMem-row jp-GpuMem-dim">
      {isSimulated && (
        <span
          className="jp-GpuMem-badge"
          title={trans.__(
            'There is no such GPU: its memory is main memory, for trying things out.'
          )}
        >
          {trans.__('simulated')}
        </span>
      )}
      <span className="jp-GpuMem-live">{live}</span>
    </div>
  );
}

function Used(props: {
  device: Device;
  trans: TranslationBundle;
}): React.ReactElement {
  const { device, trans } = props;
  const { used_bytes, total_bytes } = device.memory;
  if (used_bytes === null && total_bytes === null) {
    return <span className="jp-GpuMem-dim">{trans.__('unknown')}</span>;
  }
  return (
    <span className="jp-GpuMem-used">
      <span className="jp-GpuMem-number">{usedIn(device, trans)}</span>
      <span className="jp-GpuMem-dim">
        {' / '}
        {formatBytes(total_bytes, trans)}
      </span>
    </span>
  );
}

function liveFigures(device: Device, trans: TranslationBundle): string {
  const { utilization_pct, temperature_c } = device;
  const words: string[] = [];
  if (utilization_pct !== null) {
    words.push(trans.__('%1 % busy', utilization_pct));
  }
  if (temperature_c !== null) {
    words.push(trans.__('%1 °C', temperature_c));
  }
  return words.join(' · ');
}
