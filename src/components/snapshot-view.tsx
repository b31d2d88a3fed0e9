import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { FigureHistory } from '../history';
import type { HolderLists } from '../holders';
import type { IPreferences } from '../preferences';
import type { IDecodedSnapshot } from '../wire/decode';
import type { Snapshot } from '../wire/schema';
import type { INotice } from '../words/notice';
import { isFault, providerNotice } from '../words/providers';
import type { IPanelActions } from './actions';
import { Devices } from './devices';
import { Kernels } from './kernels';
import { Notice } from './notice';

interface IProps {
  decoded: IDecodedSnapshot;
  currentId: string | null;

  /**
   * Whether newer figures could not be had.
   */
  isOld: boolean;
  history: Pick<FigureHistory, 'device' | 'cells'>;
  holders: Pick<HolderLists, 'of'>;
  preferences: IPreferences;
  actions: IPanelActions;
  trans: TranslationBundle;
}

/**
 * Everything a snapshot says: notices, devices, kernels.
 */
export function SnapshotView(props: IProps): React.ReactElement {
  const { decoded, isOld, actions, trans } = props;
  const { snapshot, problems } = decoded;
  return (
    <div data-old={isOld || undefined}>
      {noticesOf(snapshot, trans).map(notice => (
        <Notice
          key={notice.title}
          notice={notice}
          action={
            <button
              type="button"
              className="jp-GpuMem-link"
              onClick={() => actions.openDiagnostics()}
            >
              {trans.__('Diagnostics')}
            </button>
          }
        />
      ))}
      {problems.length > 0 && (
        <Notice notice={problemNotice(problems, trans)} />
      )}
      <Devices {...props} snapshot={snapshot} />
      <Kernels {...props} snapshot={snapshot} />
    </div>
  );
}

/**
 * With a GPU in sight only faults are worth a word; without one, everything that explains it.
 */
function noticesOf(snapshot: Snapshot, trans: TranslationBundle): INotice[] {
  const hasGpu = snapshot.devices.some(device => device.kind !== 'host');
  const notices = snapshot.providers
    .filter(provider => !hasGpu || isFault(provider.state))
    .map(provider => providerNotice(provider, trans))
    .filter(notice => notice !== null);
  if (notices.length > 0 || snapshot.devices.length > 0) {
    return notices;
  }
  return [
    {
      title: trans.__('No source of GPU figures is switched on'),
      remedy: trans.__(
        'The configuration of Jupyter Server decides: see GpuMem.providers.'
      ),
      detail: ''
    }
  ];
}

function problemNotice(
  problems: readonly string[],
  trans: TranslationBundle
): INotice {
  return {
    title: trans._n(
      '%1 entry of the answer cannot be read and is left out',
      '%1 entries of the answer cannot be read and are left out',
      problems.length
    ),
    remedy: trans.__(
      'Restart Jupyter Server and reload this page. If it happens again, please report it.'
    ),
    detail: problems.join('\n')
  };
}
