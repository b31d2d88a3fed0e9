import type { TranslationBundle } from '@jupyterlab/translation';
import { closeIcon, refreshIcon } from '@jupyterlab/ui-components';
import * as React from 'react';
import { formatClock } from '../format';
import { type GpuMemModel, lastOf } from '../model';
import type { IDecodedSnapshot } from '../wire/decode';
import type { Kernel } from '../wire/schema';
import { failureNotice } from '../words/failures';
import { Notice } from './notice';
import { SnapshotView } from './snapshot-view';

/**
 * What a user can do in the panel.
 */
export interface IPanelActions {
  refresh(): void;
  openFreeMenu(kernel: Kernel, anchor: HTMLElement): void;
  dismissResult(): void;
}

interface IProps {
  state: GpuMemModel.State;
  result: GpuMemModel.IResult | null;

  /**
   * Id of the kernel of the notebook in front; null when there is none.
   */
  currentId: string | null;
  actions: IPanelActions;
  trans: TranslationBundle;
}

/**
 * The whole panel.
 */
export function PanelView(props: IProps): React.ReactElement {
  const { state, result, currentId, actions, trans } = props;
  const last = lastOf(state);
  return (
    <>
      <Header actions={actions} trans={trans} />
      <div className="jp-GpuMem-body">
        <Result result={result} actions={actions} trans={trans} />
        {state.kind === 'loading' && (
          <p className="jp-GpuMem-empty">{trans.__('Loading figures…')}</p>
        )}
        {state.kind === 'failed' && (
          <Notice
            notice={failureNotice(state.failure, trans)}
            also={sinceWords(state.sinceMs, last, trans)}
          />
        )}
        {last !== null && (
          <SnapshotView
            decoded={last}
            currentId={currentId}
            isOld={state.kind === 'failed'}
            onFree={(kernel, anchor) => actions.openFreeMenu(kernel, anchor)}
            trans={trans}
          />
        )}
      </div>
    </>
  );
}

function Header(props: Pick<IProps, 'actions' | 'trans'>): React.ReactElement {
  const { actions, trans } = props;
  return (
    <div className="jp-GpuMem-header">
      <h2>{trans.__('GPU memory')}</h2>
      <button
        type="button"
        className="jp-GpuMem-icon"
        title={trans.__('Refresh')}
        aria-label={trans.__('Refresh GPU memory')}
        onClick={() => actions.refresh()}
      >
        <refreshIcon.react tag="span" />
      </button>
    </div>
  );
}

/**
 * The outcome of the last cleanup. The region is always there: one that comes with its text is not read out.
 */
function Result(
  props: Pick<IProps, 'result' | 'actions' | 'trans'>
): React.ReactElement {
  const { result, actions, trans } = props;
  return (
    <div role="status">
      {result !== null && (
        <div className="jp-GpuMem-result" data-severity={result.severity}>
          <span>{result.text}</span>
          <button
            type="button"
            className="jp-GpuMem-icon"
            aria-label={trans.__('Dismiss')}
            title={trans.__('Dismiss')}
            onClick={() => actions.dismissResult()}
          >
            <closeIcon.react tag="span" />
          </button>
        </div>
      )}
    </div>
  );
}

function sinceWords(
  sinceMs: number,
  last: IDecodedSnapshot | null,
  trans: TranslationBundle
): string {
  const since = formatClock(sinceMs);
  return last === null
    ? trans.__('No figures since %1.', since)
    : trans.__('No new figures since %1. Those below are older.', since);
}
