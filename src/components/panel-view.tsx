import type { TranslationBundle } from '@jupyterlab/translation';
import { ellipsesIcon, refreshIcon } from '@jupyterlab/ui-components';
import * as React from 'react';
import { formatClock } from '../format';
import type { FigureHistory } from '../history';
import type { HolderLists } from '../holders';
import { type GpuMemModel, lastOf } from '../model';
import type { IPreferences } from '../preferences';
import type { IDecodedSnapshot } from '../wire/decode';
import { failureNotice } from '../words/failures';
import type { IPanelActions } from './actions';
import { Notice } from './notice';
import { ReportView } from './report-view';
import { SnapshotView } from './snapshot-view';

interface IProps {
  state: GpuMemModel.State;
  result: GpuMemModel.IResult | null;

  /**
   * Id of the kernel of the notebook in front; null when there is none.
   */
  currentId: string | null;
  history: Pick<FigureHistory, 'device' | 'cells'>;
  holders: Pick<HolderLists, 'of'>;
  preferences: IPreferences;
  actions: IPanelActions;
  trans: TranslationBundle;
}

/**
 * The whole panel.
 */
export function PanelView(props: IProps): React.ReactElement {
  const { state, result, actions, trans } = props;
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
            {...props}
            decoded={last}
            isOld={state.kind === 'failed'}
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
      <button
        type="button"
        className="jp-GpuMem-icon"
        title={trans.__('More')}
        aria-label={trans.__('More about GPU memory')}
        aria-haspopup="menu"
        onClick={event => actions.openPanelMenu(event.currentTarget)}
      >
        <ellipsesIcon.react tag="span" />
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
        <ReportView result={result} actions={actions} trans={trans} />
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
