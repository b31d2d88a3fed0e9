import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { nameOf } from '../holdings';
import { CommandIDs } from '../tokens';
import type { Kernel } from '../wire/schema';
import { operationWords, outOfMemoryWords } from '../words/kernels';
import type { IPanelActions } from './actions';

interface IProps {
  kernel: Kernel;
  idle: string | null;
  actions: IPanelActions;
  trans: TranslationBundle;
}

/**
 * What wants attention in a kernel: a cleanup that waits, a cell that ran out of memory, memory held for nothing.
 */
export function KernelHints(props: IProps): React.ReactElement | null {
  const { kernel, idle, trans } = props;
  if (kernel.operation) {
    return <Operation {...props} />;
  }
  const oom = outOfMemoryWords(kernel, trans);
  if (oom !== null) {
    return <OutOfMemory {...props} words={oom} />;
  }
  return idle === null ? null : <Idle {...props} words={idle} />;
}

function Operation(props: IProps): React.ReactElement {
  const { kernel, actions, trans } = props;
  return (
    <p className="jp-GpuMem-hint" data-tone="info">
      {operationWords(kernel, trans)}{' '}
      {kernel.operation?.state === 'waiting' && (
        <Link
          text={trans.__('Cancel')}
          label={trans.__('Cancel freeing of %1', nameOf(kernel))}
          onClick={() => actions.run(CommandIDs.cancelFree, kernel.id)}
        />
      )}
    </p>
  );
}

function OutOfMemory(props: IProps & { words: string }): React.ReactElement {
  const { kernel, words, actions, trans } = props;
  return (
    <p className="jp-GpuMem-hint">
      {words}{' '}
      <Link
        text={trans.__('Show what holds it')}
        label={trans.__('Show what holds memory in %1', nameOf(kernel))}
        onClick={() => actions.showHolders(kernel.id)}
      />
      {' · '}
      <Link
        text={trans.__('Free…')}
        label={trans.__('Free GPU objects of %1', nameOf(kernel))}
        onClick={() => actions.run(CommandIDs.freeObjects, kernel.id)}
      />
    </p>
  );
}

function Idle(props: IProps & { words: string }): React.ReactElement {
  const { kernel, words, actions, trans } = props;
  const name = nameOf(kernel);
  return (
    <p className="jp-GpuMem-hint">
      {words}{' '}
      {kernel.agent.state === 'attached' && (
        <>
          <Link
            text={trans.__('Free')}
            label={trans.__('Free memory of the idle %1', name)}
            onClick={() => actions.run(CommandIDs.reset, kernel.id)}
          />
          {' · '}
        </>
      )}
      <Link
        text={trans.__('Shut down')}
        label={trans.__('Shut down %1', name)}
        onClick={() => actions.run(CommandIDs.shutDown, kernel.id)}
      />
    </p>
  );
}

function Link(props: {
  text: string;
  label: string;
  onClick: () => void;
}): React.ReactElement {
  const { text, label, onClick } = props;
  return (
    <button
      type="button"
      className="jp-GpuMem-link"
      aria-label={label}
      onClick={onClick}
    >
      {text}
    </button>
  );
}
