import type { TranslationBundle } from '@jupyterlab/translation';
import { caretDownIcon } from '@jupyterlab/ui-components';
import * as React from 'react';
import { formatBytes, unitOf } from '../format';
import { type IHolding, isBusy, nameOf } from '../holdings';
import type { Kernel } from '../wire/schema';
import {
  activityWords,
  ageWords,
  agentWords,
  partWords,
  SEPARATOR
} from '../words/kernels';

interface IProps {
  holding: IHolding;
  nowMs: number;
  intervalMs: number;
  trans: TranslationBundle;
  onFree: (kernel: Kernel, anchor: HTMLElement) => void;
}

/**
 * One kernel: what it does, what it holds, and the button to give that back.
 */
export function KernelRow(props: IProps): React.ReactElement {
  const { holding, trans, onFree } = props;
  const { kernel, isCurrent } = holding;
  const name = nameOf(kernel);
  const agent = agentWords(kernel, trans);
  return (
    <li
      className="jp-GpuMem-kernel"
      aria-current={isCurrent || undefined}
      aria-label={name}
    >
      <div className="jp-GpuMem-row">
        <span
          className="jp-GpuMem-dot"
          data-busy={isBusy(kernel) || undefined}
          aria-hidden="true"
        />
        <span className="jp-GpuMem-name" title={kernel.path ?? name}>
          {name}
        </span>
        <span
          className={
            holding.bytes === null ? 'jp-GpuMem-dim' : 'jp-GpuMem-number'
          }
        >
          {formatBytes(holding.bytes, trans)}
        </span>
        <FreeButton kernel={kernel} onFree={onFree} trans={trans} />
      </div>
      <p className="jp-GpuMem-sub">{lines(props).join(SEPARATOR)}</p>
      {agent !== null && <p className="jp-GpuMem-sub">{agent}</p>}
    </li>
  );
}

function FreeButton(
  props: Pick<IProps, 'onFree' | 'trans'> & { kernel: Kernel }
): React.ReactElement {
  const { kernel, onFree, trans } = props;
  return (
    <button
      type="button"
      className="jp-GpuMem-free"
      aria-haspopup="menu"
      aria-label={trans.__('Free memory of %1', nameOf(kernel))}
      disabled={kernel.agent.state === 'unsupported'}
      onClick={event => onFree(kernel, event.currentTarget)}
    >
      {trans.__('Free')}
      <caretDownIcon.react tag="span" />
    </button>
  );
}

function lines(props: IProps): string[] {
  const { holding, nowMs, intervalMs, trans } = props;
  const { kernel, parts } = holding;
  const age = ageWords(kernel, nowMs, intervalMs, trans);
  const unit = unitOf(holding.bytes ?? 0);
  const split = parts.map(part =>
    partWords(part, unit, parts.length > 1, trans)
  );
  return [activityWords(kernel, nowMs, trans), ...split, age].filter(
    words => words !== null
  );
}
