import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { holdingsOf } from '../holdings';
import type { IDecodedSnapshot } from '../wire/decode';
import type { Kernel, Snapshot } from '../wire/schema';
import type { INotice } from '../words/notice';
import { isFault, providerNotice } from '../words/providers';
import { DeviceCard } from './device-card';
import { KernelRow } from './kernel-row';
import { Notice } from './notice';
import { ProcessesRow } from './processes-row';

interface IProps {
  decoded: IDecodedSnapshot;
  currentId: string | null;

  /**
   * Whether newer figures could not be had.
   */
  isOld: boolean;
  onFree: (kernel: Kernel, anchor: HTMLElement) => void;
  trans: TranslationBundle;
}

/**
 * Everything a snapshot says: notices, devices, kernels.
 */
export function SnapshotView(props: IProps): React.ReactElement {
  const { decoded, currentId, isOld, trans } = props;
  const { snapshot, problems } = decoded;
  return (
    <div data-old={isOld || undefined}>
      {noticesOf(snapshot, trans).map(notice => (
        <Notice key={notice.title} notice={notice} />
      ))}
      {problems.length > 0 && (
        <Notice notice={problemNotice(problems, trans)} />
      )}
      {snapshot.devices.map(device => (
        <DeviceCard
          key={device.key}
          device={device}
          kernels={snapshot.kernels}
          currentId={currentId}
          trans={trans}
        />
      ))}
      <Kernels {...props} />
    </div>
  );
}

function Kernels(props: IProps): React.ReactElement {
  const { decoded, currentId, onFree, trans } = props;
  const { snapshot } = decoded;
  const holdings = holdingsOf(snapshot, currentId);
  return (
    <section aria-label={trans.__('Kernels')}>
      <h2 className="jp-GpuMem-title">{trans.__('Kernels')}</h2>
      {holdings.length === 0 && (
        <p className="jp-GpuMem-empty">
          {trans.__(
            'No kernel is running. Open a notebook to see what it holds.'
          )}
        </p>
      )}
      <ul className="jp-GpuMem-kernels">
        {holdings.map(holding => (
          <KernelRow
            key={holding.kernel.id}
            holding={holding}
            nowMs={snapshot.taken_at_ms}
            intervalMs={snapshot.interval_ms}
            onFree={onFree}
            trans={trans}
          />
        ))}
        <ProcessesRow devices={snapshot.devices} trans={trans} />
      </ul>
    </section>
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
