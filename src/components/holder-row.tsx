import type { TranslationBundle } from '@jupyterlab/translation';
import {
  caretDownIcon,
  caretRightIcon,
  closeIcon
} from '@jupyterlab/ui-components';
import * as React from 'react';
import { formatBytes } from '../format';
import { bytesOf, type HolderRow } from '../holder-rows';
import type { Holder } from '../wire/schema';
import { kindWords, tensorWords } from '../words/holders';

interface IProps {
  row: HolderRow;
  index: number;
  isActive: boolean;
  onActivate: (index: number) => void;
  onToggle: (row: HolderRow) => void;
  onRemove: (holder: Holder) => void;
  trans: TranslationBundle;
}

/**
 * One row of the table of holders: size, name, what it is, and the button to delete it.
 */
export const HolderRowView = React.memo(function HolderRowView(
  props: IProps
): React.ReactElement {
  const { row, index, isActive, onActivate, trans } = props;
  const holder = row.kind === 'holder' ? row.holder : null;
  const isOpen = row.kind === 'holder' ? row.isOpen : null;
  return (
    <div
      role="row"
      className="jp-GpuMem-holder"
      aria-level={row.kind === 'tensor' ? 2 : 1}
      aria-expanded={isOpen ?? undefined}
      // The header is the first row.
      aria-rowindex={index + 2}
      data-index={index}
      data-level={row.kind === 'tensor' ? 2 : undefined}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => onActivate(index)}
    >
      <Opener {...props} isOpen={isOpen} />
      <span role="gridcell" className="jp-GpuMem-number">
        {formatBytes(bytesOf(row), trans)}
      </span>
      <Name row={row} trans={trans} />
      <span role="gridcell">
        {holder?.deletable && <Remover {...props} holder={holder} />}
      </span>
    </div>
  );
});

function Remover(
  props: Pick<IProps, 'isActive' | 'onRemove' | 'trans'> & { holder: Holder }
): React.ReactElement {
  const { holder, isActive, onRemove, trans } = props;
  return (
    <button
      type="button"
      className="jp-GpuMem-icon"
      tabIndex={isActive ? 0 : -1}
      aria-label={trans.__('Delete %1', holder.path)}
      title={trans.__('Delete %1; it cannot be brought back', holder.path)}
      onClick={() => onRemove(holder)}
    >
      <closeIcon.react tag="span" />
    </button>
  );
}

/** For the mouse: keys open and close by the arrows, as in every tree. */
function Opener(
  props: Pick<IProps, 'row' | 'onToggle'> & { isOpen: boolean | null }
): React.ReactElement {
  const { row, isOpen, onToggle } = props;
  const Icon = isOpen ? caretDownIcon : caretRightIcon;
  return (
    <span
      className="jp-GpuMem-opener"
      aria-hidden="true"
      onClick={isOpen === null ? undefined : () => onToggle(row)}
    >
      {isOpen !== null && <Icon.react tag="span" />}
    </span>
  );
}

function Name(props: {
  row: HolderRow;
  trans: TranslationBundle;
}): React.ReactElement {
  const { row, trans } = props;
  const { name, kind, title } = textsOf(row, trans);
  return (
    <span role="gridcell" className="jp-GpuMem-holding" title={title}>
      {row.kind === 'holder' || row.kind === 'tensor' ? (
        <code>{name}</code>
      ) : (
        <span>{name}</span>
      )}
      <span className="jp-GpuMem-dim">{kind}</span>
    </span>
  );
}

function textsOf(
  row: HolderRow,
  trans: TranslationBundle
): { name: string; kind: string; title: string } {
  switch (row.kind) {
    case 'holder': {
      const { path, detail } = row.holder;
      // The way to the largest tensor says more than the name of an error.
      const name = row.holder.root === 'exception' ? detail : path;
      return { name, kind: kindWords(row.holder, trans), title: detail };
    }
    case 'tensor': {
      const { path } = row.tensor;
      return { name: path, kind: tensorWords(row.tensor, trans), title: path };
    }
    case 'invisible': {
      const kind = trans.__('workspaces and other buffers of C++ libraries');
      return { name: trans.__('not visible to Python'), kind, title: kind };
    }
    case 'context': {
      const kind = trans.__('goes only when the kernel ends');
      const name = trans.__('context and other libraries');
      return { name, kind, title: kind };
    }
  }
}
