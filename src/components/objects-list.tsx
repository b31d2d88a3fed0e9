import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { formatBytes } from '../format';
import type { Holder, Holders } from '../wire/schema';
import { kindWords } from '../words/holders';
import { Tick } from './reset-text';

/**
 * What the user has left to be dropped, by ids, and whether to be asked again.
 */
export interface IObjectTicks {
  readonly keep: readonly string[];
  readonly dontAsk: boolean;
}

interface IProps {
  kernelName: string;
  holders: Holders;
  onTick: (ticks: IObjectTicks) => void;
  trans: TranslationBundle;
}

/**
 * What level "objects" would drop, each with its size and a check box to keep it.
 */
export function ObjectsList(props: IProps): React.ReactElement {
  const { kernelName, holders, onTick, trans } = props;
  const [ticks, setTicks] = React.useState<IObjectTicks>({
    keep: [],
    dontAsk: false
  });
  const tick = (changed: Partial<IObjectTicks>): void => {
    const next = { ...ticks, ...changed };
    setTicks(next);
    onTick(next);
  };
  const kept = new Set(ticks.keep);
  const droppable = holders.holders.filter(holder => holder.deletable);
  return (
    <div className="jp-GpuMem-reset">
      <p className="jp-GpuMem-dim">{leadWords(kernelName, droppable, trans)}</p>
      <ul className="jp-GpuMem-objects" aria-label={trans.__('GPU objects')}>
        {droppable.map(holder => (
          <Row
            key={holder.id}
            holder={holder}
            isTicked={!kept.has(holder.id)}
            onTick={isTicked => {
              const others = ticks.keep.filter(id => id !== holder.id);
              tick({ keep: isTicked ? others : [...others, holder.id] });
            }}
            trans={trans}
          />
        ))}
      </ul>
      <p>{sumWords(holders, kept, trans)}</p>
      <Tick
        label={trans.__('Do not ask again')}
        title={trans.__('The settings of GPU Memory bring the question back.')}
        isTicked={ticks.dontAsk}
        onTick={dontAsk => tick({ dontAsk })}
      />
    </div>
  );
}

function Row(props: {
  holder: Holder;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
  trans: TranslationBundle;
}): React.ReactElement {
  const { holder, isTicked, onTick, trans } = props;
  return (
    <li>
      <label className="jp-GpuMem-object" title={holder.detail}>
        <input
          type="checkbox"
          checked={isTicked}
          onChange={event => onTick(event.target.checked)}
        />
        <span className="jp-GpuMem-number">
          {formatBytes(holder.reaches_bytes, trans)}
        </span>
        <span>
          <code>{holder.path}</code>
          <span className="jp-GpuMem-dim">{kindWords(holder, trans)}</span>
        </span>
      </label>
    </li>
  );
}

function leadWords(
  kernelName: string,
  droppable: readonly Holder[],
  trans: TranslationBundle
): string {
  return droppable.length > 0
    ? trans.__(
        '%1 · idle. What is ticked is dropped and cannot be brought back. Imports, functions and data in main memory stay.',
        kernelName
      )
    : trans.__(
        '%1 · idle. It holds no GPU objects that can be dropped.',
        kernelName
      );
}

/**
 * With nothing kept all that is seen goes but for what cannot be dropped; else what the rest alone holds is sure.
 */
function sumWords(
  holders: Holders,
  kept: ReadonlySet<string>,
  trans: TranslationBundle
): string {
  const going = holders.holders.filter(
    holder => holder.deletable && !kept.has(holder.id)
  );
  const staying = holders.holders.filter(holder => !going.includes(holder));
  const sure = going.reduce((all, holder) => all + holder.only_bytes, 0);
  const isAll = staying.every(holder => holder.reaches_bytes === 0);
  return isAll && holders.visible_bytes !== null
    ? trans.__('%1 come free.', formatBytes(holders.visible_bytes, trans))
    : trans.__('At least %1 come free.', formatBytes(sure, trans));
}
