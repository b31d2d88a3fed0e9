import type { TranslationBundle } from '@jupyterlab/translation';
import { closeIcon } from '@jupyterlab/ui-components';
import * as React from 'react';
import { formatBytes } from '../format';
import type { GpuMemModel } from '../model';
import { CommandIDs } from '../tokens';
import type { FreeReport, KernelDevice } from '../wire/schema';
import { explanationWords } from '../words/explanations';
import {
  contextWords,
  droppedWords,
  failedWords,
  freedWords,
  restartWords
} from '../words/report';
import type { IPanelActions } from './actions';

/** As many as one reads; the list of holders has the rest. */
const MOST_HELD = 5;

interface IProps {
  result: GpuMemModel.IResult;
  actions: IPanelActions;
  trans: TranslationBundle;
}

/**
 * The outcome of a cleanup: how much came free by what, and who holds the rest.
 */
export function ReportView(props: IProps): React.ReactElement {
  const { result, actions, trans } = props;
  const { report, severity, restartId } = result;
  return (
    <div className="jp-GpuMem-result" data-severity={severity}>
      <div className="jp-GpuMem-told">
        {report ? <Report {...props} report={report} /> : result.text}
        {restartId !== null && (
          <button
            type="button"
            className="jp-GpuMem-link"
            onClick={() => actions.run(CommandIDs.restart, restartId)}
          >
            {trans.__('Restart kernel…')}
          </button>
        )}
      </div>
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
  );
}

function Report(props: IProps & { report: FreeReport }): React.ReactElement {
  const { result, report, trans } = props;
  const sentences = [
    ...report.explanations.map(one => explanationWords(one, trans)),
    report.explanations.some(one => one.code === 'context')
      ? null
      : contextWords(report, trans),
    failedWords(report, trans),
    report.needs_restart ? restartWords(trans) : null
  ].filter(sentence => sentence !== null);
  return (
    <>
      <p className="jp-GpuMem-number">
        {freedWords(report, result.target.name, trans)}
      </p>
      <Bars report={report} trans={trans} />
      <StillHeld {...props} />
      {sentences.map(sentence => (
        <p key={sentence}>{sentence}</p>
      ))}
      {report.dropped_count > 0 && (
        <details>
          <summary>
            {trans._n(
              '%1 thing was dropped',
              '%1 things were dropped',
              report.dropped_count
            )}
          </summary>
          <p>{droppedWords(report, trans)}</p>
        </details>
      )}
    </>
  );
}

function Bars(props: {
  report: FreeReport;
  trans: TranslationBundle;
}): React.ReactElement | null {
  const { report, trans } = props;
  const before = partsOf(report.before);
  const after = partsOf(report.after);
  const whole = Math.max(sumOf(before), sumOf(after));
  if (whole === 0) {
    return null;
  }
  const bar = (label: string, parts: readonly IPart[]) => (
    <div className="jp-GpuMem-row jp-GpuMem-before">
      <span>{label}</span>
      <span className="jp-GpuMem-bar" aria-hidden="true">
        {[...parts, { kind: 'free', bytes: whole - sumOf(parts) }]
          .filter(part => part.bytes > 0)
          .map(part => (
            <span
              key={part.kind}
              className="jp-GpuMem-share"
              data-share={part.kind}
              style={{ flexGrow: part.bytes }}
            />
          ))}
      </span>
      <span>{formatBytes(sumOf(parts), trans)}</span>
    </div>
  );
  return (
    <>
      {bar(trans.__('before'), before)}
      {bar(trans.__('after'), after)}
    </>
  );
}

function StillHeld(
  props: IProps & { report: FreeReport }
): React.ReactElement | null {
  const { result, report, actions, trans } = props;
  const bytes = report.still_held_bytes ?? 0;
  if (bytes === 0 || report.level === 'cache') {
    return null;
  }
  return (
    <>
      <p>
        {trans.__('Still held: %1.', formatBytes(bytes, trans))}{' '}
        <button
          type="button"
          className="jp-GpuMem-link"
          onClick={() => actions.showHolders(result.target.kernelId)}
        >
          {trans.__('Show')}
        </button>
      </p>
      <ul className="jp-GpuMem-held">
        {report.still_held.slice(0, MOST_HELD).map(held => (
          <li key={held.path}>
            <span className="jp-GpuMem-number">
              {formatBytes(held.bytes, trans)}
            </span>{' '}
            <code>{held.path}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

interface IPart {
  readonly kind: string;
  readonly bytes: number;
}

function partsOf(figures: readonly KernelDevice[]): IPart[] {
  const sum = (pick: (one: KernelDevice) => number | null): number =>
    figures.reduce((all, one) => all + (pick(one) ?? 0), 0);
  const tensors = sum(one => one.allocated_bytes);
  return [
    { kind: 'tensors', bytes: tensors },
    {
      kind: 'cache',
      bytes: Math.max(0, sum(one => one.reserved_bytes) - tensors)
    },
    { kind: 'context', bytes: sum(one => one.context_bytes) }
  ];
}

function sumOf(parts: readonly IPart[]): number {
  return parts.reduce((all, part) => all + part.bytes, 0);
}
