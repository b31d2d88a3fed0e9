import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { formatClock } from '../format';
import { type HolderRow, type IView, rowsOf } from '../holder-rows';
import type { HolderLists } from '../holders';
import { nameOf } from '../holdings';
import { CommandIDs } from '../tokens';
import type { Holders, Kernel } from '../wire/schema';
import { explanationWords } from '../words/explanations';
import { holdersFailure } from '../words/failures';
import type { IPanelActions } from './actions';
import { HolderTable } from './holder-table';

/** Fewer than this one finds without searching. */
const MANY = 8;
/** The most important come first; all of them would push the list out of sight. */
const MOST_HINTS = 2;

interface IProps {
  kernel: Kernel;
  list: Exclude<HolderLists.State, { kind: 'closed' }>;
  actions: IPanelActions;
  trans: TranslationBundle;
}

/**
 * Who holds the memory of a kernel, as it last said.
 */
export function HoldersView(props: IProps): React.ReactElement {
  const { kernel, list, trans } = props;
  return (
    <div
      role="group"
      className="jp-GpuMem-holding-list"
      aria-label={trans.__('What holds memory in %1', nameOf(kernel))}
      aria-busy={list.kind === 'loading'}
    >
      <Age {...props} />
      {list.kind === 'failed' && (
        <p className="jp-GpuMem-hint">
          {holdersFailure(list.failure, nameOf(kernel), trans)}
        </p>
      )}
      {list.last && <Listing {...props} last={list.last} />}
    </div>
  );
}

function Age(props: IProps): React.ReactElement {
  const { kernel, list, actions, trans } = props;
  const last = list.last;
  const words =
    list.kind === 'loading'
      ? trans.__('Looking…')
      : last && trans.__('As of %1', formatClock(last.atMs));
  return (
    <div className="jp-GpuMem-row jp-GpuMem-dim jp-GpuMem-age">
      <span role="status">{words}</span>
      <button
        type="button"
        className="jp-GpuMem-link"
        disabled={list.kind === 'loading'}
        aria-label={trans.__(
          'Look again what holds memory in %1',
          nameOf(kernel)
        )}
        onClick={() => actions.showHolders(kernel.id)}
      >
        {trans.__('Look again')}
      </button>
    </div>
  );
}

function Listing(
  props: IProps & { last: HolderLists.IList }
): React.ReactElement {
  const { kernel, last, actions, trans } = props;
  const { holders } = last;
  const [view, setView] = React.useState<IView>(FIRST_VIEW);
  const rows = rowsOf(holders, contextOf(kernel), view);
  const toggle = (row: HolderRow): void =>
    setView(old => ({ ...old, open: toggled(old.open, row.key) }));
  return (
    <>
      <Explanations holders={holders} trans={trans} />
      {holders.holders.length >= MANY && (
        <Filter
          value={view.filter}
          onFilter={filter => setView(old => ({ ...old, filter }))}
          trans={trans}
        />
      )}
      {rows.length > 0 && (
        <HolderTable
          label={trans.__('Holders of memory in %1', nameOf(kernel))}
          rows={rows}
          sort={view.sort}
          onSort={sort => setView(old => ({ ...old, sort }))}
          onToggle={toggle}
          onRemove={({ id, path }) =>
            actions.run(CommandIDs.remove, kernel.id, { id, path })
          }
          trans={trans}
        />
      )}
      <Rest {...props} isEmpty={rows.length === 0} />
    </>
  );
}

function Explanations(props: {
  holders: Holders;
  trans: TranslationBundle;
}): React.ReactElement {
  const { holders, trans } = props;
  const sentences = holders.explanations.map(one =>
    explanationWords(one, trans)
  );
  const hints = (from: number, to?: number) =>
    sentences.slice(from, to).map(sentence => (
      <p key={sentence} className="jp-GpuMem-hint">
        {sentence}
      </p>
    ));
  const more = sentences.length - MOST_HINTS;
  return (
    <>
      {hints(0, MOST_HINTS)}
      {more > 0 && (
        <details className="jp-GpuMem-more">
          <summary>{trans._n('%1 more note', '%1 more notes', more)}</summary>
          {hints(MOST_HINTS)}
        </details>
      )}
    </>
  );
}

function Filter(props: {
  value: string;
  onFilter: (filter: string) => void;
  trans: TranslationBundle;
}): React.ReactElement {
  const { value, onFilter, trans } = props;
  return (
    <input
      type="search"
      className="jp-GpuMem-filter"
      placeholder={trans.__('Filter by name')}
      aria-label={trans.__('Filter by name')}
      value={value}
      onChange={event => onFilter(event.target.value)}
    />
  );
}

function Rest(
  props: IProps & { last: HolderLists.IList; isEmpty: boolean }
): React.ReactElement {
  const { kernel, last, isEmpty, actions, trans } = props;
  const { partial, holders, holders_count, memory } = last.holders;
  const more = holders_count - holders.length;
  return (
    <div className="jp-GpuMem-dim jp-GpuMem-age">
      {isEmpty && <p>{trans.__('Nothing with memory was found.')}</p>}
      {memory === 'host' && (
        <p>
          {trans.__(
            'The kernel has not used a GPU: these are tensors in main memory.'
          )}
        </p>
      )}
      {partial && (
        <p>
          {trans.__(
            'There was more to search than time: some memory may be put down to nobody.'
          )}
        </p>
      )}
      {more > 0 && (
        <button
          type="button"
          className="jp-GpuMem-link"
          onClick={() => actions.moreHolders(kernel.id)}
        >
          {trans._n('Show %1 more', 'Show %1 more', more)}
        </button>
      )}
    </div>
  );
}

const FIRST_VIEW: IView = { sort: 'size', filter: '', open: new Set() };

function toggled(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(open);
  if (!next.delete(key)) {
    next.add(key);
  }
  return next;
}

function contextOf(kernel: Kernel): number {
  return kernel.devices.reduce(
    (all, figures) => all + (figures.context_bytes ?? 0),
    0
  );
}
