import type { TranslationBundle } from '@jupyterlab/translation';
import { caretDownIcon } from '@jupyterlab/ui-components';
import * as React from 'react';
import { formatBytes } from '../format';
import type { HolderLists } from '../holders';
import { isBusy, nameOf } from '../holdings';
import type { Kernel } from '../wire/schema';
import { agentWords } from '../words/kernels';
import type { IPanelActions } from './actions';
import { Caret } from './caret';
import { HoldersView } from './holders-view';
import { KernelHints } from './kernel-hints';

interface IProps {
  kernel: Kernel;
  isCurrent: boolean;
  bytes: number | null;
  /** What it does and how its memory divides. */
  sub: string;
  /** Why it is pointed out as idle; null when it is not. */
  idle: string | null;
  list: HolderLists.State;
  actions: IPanelActions;
  trans: TranslationBundle;
}

/**
 * One kernel: what it does, what it holds, who holds that, and the button to give it back.
 */
export const KernelRow = React.memo(function KernelRow(
  props: IProps
): React.ReactElement {
  const { kernel, isCurrent, sub, list, actions, trans } = props;
  const name = nameOf(kernel);
  const agent = agentWords(kernel, trans);
  return (
    <li
      className="jp-GpuMem-kernel"
      aria-current={isCurrent || undefined}
      aria-label={name}
      data-kernel={kernel.id}
    >
      <Head {...props} name={name} />
      <p className="jp-GpuMem-sub">{sub}</p>
      {agent !== null && <p className="jp-GpuMem-sub">{agent}</p>}
      <KernelHints {...props} />
      {list.kind !== 'closed' && (
        <HoldersView
          kernel={kernel}
          list={list}
          actions={actions}
          trans={trans}
        />
      )}
    </li>
  );
});

function Head(props: IProps & { name: string }): React.ReactElement {
  const { kernel, name, bytes, list, actions, trans } = props;
  return (
    <div className="jp-GpuMem-row">
      {kernel.agent.state === 'attached' ? (
        <Caret
          isOpen={list.kind !== 'closed'}
          label={trans.__('What holds memory in %1', name)}
          onClick={() => actions.toggleHolders(kernel.id)}
        />
      ) : (
        <span className="jp-GpuMem-caret" />
      )}
      <span
        className="jp-GpuMem-dot"
        data-busy={isBusy(kernel) || undefined}
        aria-hidden="true"
      />
      <span className="jp-GpuMem-name" title={kernel.path ?? name}>
        {name}
      </span>
      <span className={bytes === null ? 'jp-GpuMem-dim' : 'jp-GpuMem-number'}>
        {formatBytes(bytes, trans)}
      </span>
      <button
        type="button"
        className="jp-GpuMem-free"
        aria-haspopup="menu"
        aria-label={trans.__('Free memory of %1', name)}
        onClick={event => actions.openFreeMenu(kernel, event.currentTarget)}
      >
        {trans.__('Free')}
        <caretDownIcon.react tag="span" />
      </button>
    </div>
  );
}
