import type { HeldTensor, Holder, Holders } from './wire/schema';

/**
 * One row of the table of holders.
 */
export type HolderRow =
  | {
      readonly kind: 'holder';
      readonly key: string;
      readonly holder: Holder;
      /** Null when there is nothing below it. */
      readonly isOpen: boolean | null;
    }
  | {
      readonly kind: 'tensor';
      readonly key: string;
      readonly tensor: HeldTensor;
    }
  | {
      readonly kind: 'invisible' | 'context';
      readonly key: string;
      readonly bytes: number;
    };

/**
 * How the user looks at the list.
 */
export interface IView {
  readonly sort: 'size' | 'name';
  readonly filter: string;
  /** Ids of the holders whose tensors are shown. */
  readonly open: ReadonlySet<string>;
}

/**
 * The rows as shown: holders with the tensors of the open ones below them, then what no name explains.
 */
export function rowsOf(
  holders: Holders,
  contextBytes: number,
  view: IView
): HolderRow[] {
  const below = byHolder(holders.tensors);
  const rows = holders.holders
    .filter(holder => holder.reaches_bytes > 0 && fits(holder, view.filter))
    .sort((a, b) => compare(a, b, view.sort))
    .flatMap(holder =>
      rowsFor(holder, below.get(holder.id) ?? [], view.open.has(holder.id))
    );
  if (view.filter !== '') {
    return rows;
  }
  const rest = [
    { kind: 'invisible', bytes: holders.invisible_bytes ?? 0 },
    { kind: 'context', bytes: contextBytes }
  ] as const;
  return [
    ...rows,
    ...rest
      .filter(row => row.bytes > 0)
      .map(row => ({ ...row, key: `${row.kind} memory` }))
  ];
}

/**
 * Bytes of a row, by which it is shown and sorted.
 */
export function bytesOf(row: HolderRow): number {
  switch (row.kind) {
    case 'holder':
      return row.holder.reaches_bytes;
    case 'tensor':
      return row.tensor.bytes;
    case 'invisible':
    case 'context':
      return row.bytes;
  }
}

function rowsFor(
  holder: Holder,
  tensors: readonly HeldTensor[],
  isOpen: boolean
): HolderRow[] {
  const head: HolderRow = {
    kind: 'holder',
    key: holder.id,
    holder,
    isOpen: tensors.length > 0 ? isOpen : null
  };
  const children = tensors.map((tensor, index): HolderRow => ({
    kind: 'tensor',
    key: `${holder.id} ${index}`,
    tensor
  }));
  return isOpen ? [head, ...children] : [head];
}

function byHolder(tensors: readonly HeldTensor[]): Map<string, HeldTensor[]> {
  const found = new Map<string, HeldTensor[]>();
  for (const tensor of tensors) {
    if (tensor.holder !== null) {
      found.set(tensor.holder, [...(found.get(tensor.holder) ?? []), tensor]);
    }
  }
  return found;
}

function fits(holder: Holder, filter: string): boolean {
  const text = `${holder.path} ${holder.detail}`.toLowerCase();
  return text.includes(filter.trim().toLowerCase());
}

function compare(a: Holder, b: Holder, sort: IView['sort']): number {
  return sort === 'size'
    ? b.reaches_bytes - a.reaches_bytes || a.path.localeCompare(b.path)
    : a.path.localeCompare(b.path);
}
