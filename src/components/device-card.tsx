import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { formatBytes, unitOf } from '../format';
import type { IPoint, ISpan } from '../history';
import { sharesOf } from '../shares';
import type { Device, Kernel } from '../wire/schema';
import {
  deviceTitle,
  deviceTrouble,
  liveFigures,
  usedIn
} from '../words/devices';
import { Bar, Legend } from './bar';
import { Caret } from './caret';
import { Sparkline } from './sparkline';

interface IProps {
  device: Device;
  kernels: readonly Kernel[];
  currentId: string | null;
  points: readonly IPoint[];
  /** When cells of the current kernel ran. */
  cells: readonly ISpan[];
  /** Whether it can be folded; it begins folded then unless the current kernel is on it. */
  isFoldable: boolean;
  trans: TranslationBundle;
}

/**
 * One device: name, used and total, who holds what.
 */
export const DeviceCard = React.memo(function DeviceCard(
  props: IProps
): React.ReactElement {
  const { device, kernels, currentId, isFoldable, trans } = props;
  const [chosen, choose] = React.useState<boolean | null>(null);
  const isOpen = chosen ?? !(isFoldable && !isOn(device, kernels, currentId));
  const title = deviceTitle(device, trans);
  const trouble = deviceTrouble(device, trans);
  return (
    <section
      className="jp-GpuMem-card"
      data-folded={!isOpen || undefined}
      data-child={device.parent_key !== null || undefined}
      aria-label={title}
    >
      <div className="jp-GpuMem-row">
        {isFoldable && (
          <Caret
            isOpen={isOpen}
            label={trans.__('Details of %1', title)}
            onClick={() => choose(!isOpen)}
          />
        )}
        <h3 className="jp-GpuMem-name" title={title}>
          {title}
        </h3>
        <Used device={device} trans={trans} />
      </div>
      <Figures {...props} isOpen={isOpen} />
      {trouble !== null && <p className="jp-GpuMem-trouble">{trouble}</p>}
    </section>
  );
});

function Figures(
  props: IProps & { isOpen: boolean }
): React.ReactElement | null {
  const { device, kernels, currentId, points, cells, isOpen, trans } = props;
  const total = device.memory.total_bytes;
  if (total === null || device.memory.used_bytes === null) {
    return isOpen ? <Footer {...props} hasCurve={false} /> : null;
  }
  const shares = sharesOf(device, kernels, currentId);
  const hasCurrent = kernels.some(kernel => kernel.id === currentId);
  const bar = { device, shares, hasCurrent, trans, unit: unitOf(total) };
  return (
    <>
      <Bar {...bar} />
      {isOpen && (
        <>
          <Legend {...bar} />
          <Sparkline
            points={points}
            cells={isOn(device, kernels, currentId) ? cells : NO_CELLS}
            totalBytes={total}
            trans={trans}
          />
          <Footer
            {...props}
            hasCurve={true}
            hasCells={cells.length > 0 && isOn(device, kernels, currentId)}
          />
        </>
      )}
    </>
  );
}

function Footer(props: {
  device: Device;
  hasCurve: boolean;
  hasCells?: boolean;
  trans: TranslationBundle;
}): React.ReactElement | null {
  const { device, hasCurve, hasCells, trans } = props;
  const isSimulated = device.kind === 'simulated';
  const live = liveFigures(device, trans);
  if (!isSimulated && !hasCurve && live === '') {
    return null;
  }
  return (
    <div className="jp-GpuMem-row jp-GpuMem-dim">
      {hasCurve && (
        <span>
          {hasCells
            ? trans.__('last 10 min · cells shaded')
            : trans.__('last 10 min')}
        </span>
      )}
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

const NO_CELLS: readonly ISpan[] = [];

function isOn(
  device: Device,
  kernels: readonly Kernel[],
  kernelId: string | null
): boolean {
  const kernel = kernels.find(one => one.id === kernelId);
  return kernel?.devices.some(one => one.key === device.key) ?? false;
}
