import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { type IUnit, inUnit } from '../format';
import type { IShare } from '../shares';
import type { Device } from '../wire/schema';
import { barSentence, shareExplanation, shareLabel } from '../words/devices';

interface IProps {
  device: Device;
  shares: readonly IShare[];
  hasCurrent: boolean;
  unit: IUnit;
  trans: TranslationBundle;
}

/**
 * A device's memory as one stacked bar. Its parts are a picture: the legend says the same in text.
 */
export function Bar(props: IProps): React.ReactElement {
  const { device, shares, hasCurrent, trans } = props;
  return (
    <div
      className="jp-GpuMem-bar"
      role="img"
      aria-label={barSentence(device, shares, hasCurrent, trans)}
    >
      {shares
        .filter(share => share.bytes > 0)
        .map(share => (
          <div
            key={share.kind}
            className="jp-GpuMem-share"
            data-share={share.kind}
            title={`${shareLabel(share.kind, hasCurrent, trans)}: ${shareExplanation(share.kind, trans)}`}
            style={{ flexGrow: share.bytes }}
          />
        ))}
    </div>
  );
}

/**
 * Names and sizes of the parts of the bar.
 */
export function Legend(props: IProps): React.ReactElement {
  const { shares, hasCurrent, unit, trans } = props;
  return (
    <ul
      className="jp-GpuMem-legend"
      aria-label={trans.__('Sizes in %1', unit.name)}
    >
      {shares.map(share => (
        <li key={share.kind} title={shareExplanation(share.kind, trans)}>
          <span
            className="jp-GpuMem-swatch jp-GpuMem-share"
            data-share={share.kind}
            aria-hidden="true"
          />
          {shareLabel(share.kind, hasCurrent, trans)}{' '}
          <span className="jp-GpuMem-number">{inUnit(share.bytes, unit)}</span>
        </li>
      ))}
    </ul>
  );
}
