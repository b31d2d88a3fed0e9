import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { unitOf } from '../format';
import type { HolderLists } from '../holders';
import { holdingsOf, type IHolding } from '../holdings';
import type { IPreferences } from '../preferences';
import type { Snapshot } from '../wire/schema';
import {
  activityWords,
  ageWords,
  idleWords,
  partWords,
  SEPARATOR
} from '../words/kernels';
import type { IPanelActions } from './actions';
import { KernelRow } from './kernel-row';
import { ProcessesRow } from './processes-row';

interface IProps {
  snapshot: Snapshot;
  currentId: string | null;
  holders: Pick<HolderLists, 'of'>;
  preferences: IPreferences;
  actions: IPanelActions;
  trans: TranslationBundle;
}

/**
 * The kernels of the server, the current one first, and what holds memory besides them.
 */
export function Kernels(props: IProps): React.ReactElement {
  const { snapshot, currentId, holders, preferences, actions, trans } = props;
  const holdings = holdingsOf(snapshot, currentId);
  const nowMs = snapshot.taken_at_ms;
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
            kernel={holding.kernel}
            isCurrent={holding.isCurrent}
            bytes={holding.bytes}
            sub={subOf(holding, snapshot, trans)}
            idle={idleWords(holding, nowMs, preferences, trans)}
            list={holders.of(holding.kernel.id)}
            actions={actions}
            trans={trans}
          />
        ))}
        <ProcessesRow devices={snapshot.devices} trans={trans} />
      </ul>
    </section>
  );
}

function subOf(
  holding: IHolding,
  snapshot: Snapshot,
  trans: TranslationBundle
): string {
  const { kernel, parts } = holding;
  const { taken_at_ms, interval_ms } = snapshot;
  const unit = unitOf(holding.bytes ?? 0);
  const split = parts.map(part =>
    partWords(part, unit, parts.length > 1, trans)
  );
  const age = ageWords(kernel, taken_at_ms, interval_ms, trans);
  return [activityWords(kernel, taken_at_ms, trans), ...split, age]
    .filter(words => words !== null)
    .join(SEPARATOR);
}
