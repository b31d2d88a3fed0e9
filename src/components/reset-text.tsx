import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { formatBytes } from '../format';

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
      {isBusy && (
        <p className="jp-GpuMem-trouble">
          {trans.__(
            'A cell is running. It has to be interrupted first; what it has computed so far is lost.'
          )}
        </p>
      )}
      <Dropped trans={trans} />
      <Kept trans={trans} />
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
