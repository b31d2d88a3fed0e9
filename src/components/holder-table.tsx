import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { HolderRow, IView } from '../holder-rows';
import type { Holder } from '../wire/schema';
import { HolderRowView } from './holder-row';

/** From here on only what can be seen is drawn, in rows of one height. */
const MANY = 100;
const ROW_PX = 38;
const SHOWN_ROWS = 10;
const SPARE_ROWS = 5;

interface IProps {
  label: string;
  rows: readonly HolderRow[];
  sort: IView['sort'];
  onSort: (sort: IView['sort']) => void;
  onToggle: (row: HolderRow) => void;
  onRemove: (holder: Holder) => void;
  trans: TranslationBundle;
}

/**
 * The holders as a tree-table that arrows, Home, End and Delete work in.
 */
export function HolderTable(props: IProps): React.ReactElement {
  const { label, rows } = props;
  const [active, setActive] = React.useState(0);
  const body = React.useRef<HTMLDivElement>(null);
  const move = (index: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, index));
    setActive(next);
    focusRow(body.current, next, rows.length > MANY);
  };
  return (
    <div
      role="treegrid"
      className="jp-GpuMem-holders"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      onKeyDown={event => onKey(event, { ...props, active, move })}
    >
      <Head {...props} />
      <Body {...props} body={body} active={active} onActivate={setActive} />
    </div>
  );
}

interface IBodyProps extends IProps {
  body: React.RefObject<HTMLDivElement>;
  active: number;
  onActivate: (index: number) => void;
}

function Body(props: IBodyProps): React.ReactElement {
  const { rows, body, active, onActivate, onToggle, onRemove, trans } = props;
  const [scrolled, setScrolled] = React.useState(0);
  const isMany = rows.length > MANY;
  const { first, last } = isMany
    ? windowAt(scrolled, rows.length)
    : { first: 0, last: rows.length };
  const space = (count: number) =>
    isMany && <div role="none" style={{ height: count * ROW_PX }} />;
  return (
    <div
      ref={body}
      role="rowgroup"
      className="jp-GpuMem-rows"
      data-many={isMany || undefined}
      style={isMany ? { maxHeight: SHOWN_ROWS * ROW_PX } : undefined}
      onScroll={event => setScrolled(event.currentTarget.scrollTop)}
    >
      {space(first)}
      {rows.slice(first, last).map((row, place) => (
        <HolderRowView
          key={row.key}
          row={row}
          index={first + place}
          isActive={first + place === active}
          onActivate={onActivate}
          onToggle={onToggle}
          onRemove={onRemove}
          trans={trans}
        />
      ))}
      {space(rows.length - last)}
    </div>
  );
}

function Head(
  props: Pick<IProps, 'sort' | 'onSort' | 'trans'>
): React.ReactElement {
  const { sort, onSort, trans } = props;
  const column = (name: IView['sort'], text: string) => (
    <span
      role="columnheader"
      aria-sort={
        sort !== name ? 'none' : name === 'size' ? 'descending' : 'ascending'
      }
    >
      <button type="button" onClick={() => onSort(name)}>
        {text}
        {sort === name && <span aria-hidden="true"> ▾</span>}
      </button>
    </span>
  );
  return (
    <div role="rowgroup">
      <div role="row" className="jp-GpuMem-holder" data-head aria-rowindex={1}>
        <span />
        {column('size', trans.__('Size'))}
        {column('name', trans.__('Held by'))}
      </div>
    </div>
  );
}

interface IMoves extends IProps {
  active: number;
  move: (index: number) => void;
}

function onKey(event: React.KeyboardEvent, moves: IMoves): void {
  const inRow =
    event.target instanceof HTMLElement &&
    event.target.dataset.index !== undefined;
  const act = inRow ? actionOf(event.key, moves) : undefined;
  if (act) {
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}

function actionOf(key: string, moves: IMoves): (() => void) | undefined {
  const { rows, active, move, onToggle, onRemove } = moves;
  const row = rows[active];
  const isOpen = row?.kind === 'holder' ? row.isOpen : null;
  switch (key) {
    case 'ArrowDown':
      return () => move(active + 1);
    case 'ArrowUp':
      return () => move(active - 1);
    case 'Home':
      return () => move(0);
    case 'End':
      return () => move(rows.length - 1);
    case 'ArrowRight':
      return row && isOpen === false ? () => onToggle(row) : undefined;
    case 'ArrowLeft':
      return row && isOpen === true ? () => onToggle(row) : undefined;
    case 'Enter':
      return row && isOpen !== null ? () => onToggle(row) : undefined;
    case 'Delete':
      return row?.kind === 'holder' && row.holder.deletable
        ? () => onRemove(row.holder)
        : undefined;
    default:
      return undefined;
  }
}

function windowAt(
  scrolled: number,
  count: number
): { first: number; last: number } {
  const top = Math.floor(scrolled / ROW_PX);
  return {
    first: Math.max(0, top - SPARE_ROWS),
    last: Math.min(count, top + SHOWN_ROWS + SPARE_ROWS)
  };
}

function focusRow(
  body: HTMLDivElement | null,
  index: number,
  isMany: boolean
): void {
  if (body && isMany) {
    const top = index * ROW_PX;
    const lowest = top + ROW_PX - body.clientHeight;
    body.scrollTop = Math.min(top, Math.max(body.scrollTop, lowest));
  }
  // A row that was out of sight is drawn by then.
  requestAnimationFrame(() =>
    body?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus()
  );
}
