import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { formatBytes } from '../format';

/**
 * What the user has ticked in the dialog of a reset.
 */
export interface IResetTicks {
  readonly keepImports: boolean;
  readonly dontAsk: boolean;
}

interface IProps {
  /**
   * Display name of the kernel.
   */
  kernelName: string;
  isBusy: boolean;

  /**
   * GPU memory the kernel's allocator has taken; null when that is not known.
   */
  reservedBytes: number | null;
  ticks: IResetTicks;
  onTick: (ticks: IResetTicks) => void;
  trans: TranslationBundle;
}

/**
 * What a reset takes away and what it leaves.
 */
export function ResetText(props: IProps): React.ReactElement {
  const { kernelName, isBusy, reservedBytes, trans } = props;
  return (
    <div className="jp-GpuMem-reset">
      <p className="jp-GpuMem-dim">
        {isBusy
          ? trans.__('%1 · running a cell', kernelName)
          : trans.__('%1 · idle', kernelName)}
      </p>
      {isBusy && <BusyText trans={trans} />}
      <Dropped trans={trans} />
      <Kept trans={trans} />
      <Ticks {...props} />
      {reservedBytes !== null && !isBusy && (
        <p className="jp-GpuMem-dim">
          {trans.__(
            'Up to %1 of GPU memory will be freed.',
            formatBytes(reservedBytes, trans)
          )}
        </p>
      )}
    </div>
  );
}

/**
 * What to do about a running cell.
 */
export function BusyText(props: {
  trans: TranslationBundle;
}): React.ReactElement {
  const { trans } = props;
  return (
    <p className="jp-GpuMem-trouble">
      {trans.__(
        'A cell is running. Wait until it has ended, or interrupt it: then what it has computed so far is lost.'
      )}
    </p>
  );
}

/**
 * A check box with its label.
 */
export function Tick(props: {
  label: string;
  title?: string;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
}): React.ReactElement {
  const { label, title, isTicked, onTick } = props;
  return (
    <label className="jp-GpuMem-tick" title={title}>
      <input
        type="checkbox"
        checked={isTicked}
        onChange={event => onTick(event.target.checked)}
      />
      {label}
    </label>
  );
}

function Ticks(
  props: Pick<IProps, 'ticks' | 'onTick' | 'isBusy' | 'trans'>
): React.ReactElement {
  const { onTick, isBusy, trans } = props;
  const [ticks, setTicks] = React.useState(props.ticks);
  const tick = (changed: Partial<IResetTicks>): void => {
    const next = { ...ticks, ...changed };
    setTicks(next);
    onTick(next);
  };
  return (
    <>
      <Tick
        label={trans.__('Keep imports')}
        title={trans.__(
          'Keep modules and what was imported from modules, so that the first cell need not run again.'
        )}
        isTicked={ticks.keepImports}
        onTick={keepImports => tick({ keepImports })}
      />
      {!isBusy && (
        <Tick
          label={trans.__('Do not ask again')}
          title={trans.__(
            'The settings of GPU Memory bring the question back.'
          )}
          isTicked={ticks.dontAsk}
          onTick={dontAsk => tick({ dontAsk })}
        />
      )}
    </>
  );
}

function Dropped(props: { trans: TranslationBundle }): React.ReactElement {
  const { trans } = props;
  return (
    <>
      <p className="jp-GpuMem-lead">
        {trans.__('Dropped, and cannot be brought back:')}
      </p>
      <ul>
        <li>
          {trans.__(
            'all variables, and functions and classes made in the notebook'
          )}
        </li>
        <li>{trans.__('outputs kept by the kernel, and the last error')}</li>
        <li>{trans.__('open figures and widgets')}</li>
      </ul>
    </>
  );
}

function Kept(props: { trans: TranslationBundle }): React.ReactElement {
  const { trans } = props;
  return (
    <>
      <p className="jp-GpuMem-lead">{trans.__('Kept:')}</p>
      <ul>
        <li>{trans.__('the kernel itself, history and cell counter')}</li>
        <li>
          {trans.__(
            'imports and functions from modules, if "Keep imports" is ticked'
          )}
        </li>
        <li>
          {trans.__('the CUDA context: it goes only when the kernel ends')}
        </li>
      </ul>
    </>
  );
}
