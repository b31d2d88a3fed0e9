import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import type { Failure } from '../failure';
import { formatClock } from '../format';
import type { Check, Diagnostics } from '../wire/schema';
import { checkName, checkStateName, diagnosticsText } from '../words/checks';
import { failureNotice } from '../words/failures';
import { hintWords } from '../words/hints';
import { Notice } from './notice';

/**
 * What is known of the server's checks.
 */
export type DiagnosticsState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly diagnostics: Diagnostics }
  | { readonly kind: 'failed'; readonly failure: Failure };

interface IProps {
  state: DiagnosticsState;
  onReload: () => void;
  onCopy: (text: string) => void;
  trans: TranslationBundle;
}

/**
 * What works, what does not, and what to do about it; all of it can be copied.
 */
export function DiagnosticsView(props: IProps): React.ReactElement {
  const { state, onReload, onCopy, trans } = props;
  const [isCopied, setCopied] = React.useState(false);
  const text =
    state.kind === 'ready' ? diagnosticsText(state.diagnostics, trans) : null;
  return (
    <div className="jp-GpuMem-diagnostics">
      <h1>{trans.__('GPU memory: diagnostics')}</h1>
      <div className="jp-GpuMem-row">
        <button
          type="button"
          className="jp-GpuMem-button"
          disabled={text === null}
          onClick={() => {
            onCopy(text ?? '');
            setCopied(true);
          }}
        >
          {trans.__('Copy')}
        </button>
        <button type="button" className="jp-GpuMem-button" onClick={onReload}>
          {trans.__('Check again')}
        </button>
        <span role="status" className="jp-GpuMem-dim">
          {isCopied
            ? trans.__('Copied. Look it over before you share it.')
            : ageOf(state, trans)}
        </span>
      </div>
      {state.kind === 'failed' && (
        <Notice notice={failureNotice(state.failure, trans)} />
      )}
      {state.kind === 'ready' && (
        <Checks checks={state.diagnostics.checks} trans={trans} />
      )}
    </div>
  );
}

function Checks(props: {
  checks: readonly Check[];
  trans: TranslationBundle;
}): React.ReactElement {
  const { checks, trans } = props;
  return (
    <ul>
      {checks.map((check, index) => (
        <li key={index} className="jp-GpuMem-check" data-state={check.state}>
          <span className="jp-GpuMem-checkState">
            {checkStateName(check.state, trans)}
          </span>
          <span>
            <strong>{checkName(check.name, trans)}</strong>
            <span className="jp-GpuMem-detail">{check.detail}</span>
            {check.hint !== null && (
              <span className="jp-GpuMem-remedy">
                {hintWords(check.hint, trans)}
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function ageOf(
  state: DiagnosticsState,
  trans: TranslationBundle
): string | null {
  switch (state.kind) {
    case 'loading':
      return trans.__('Checking…');
    case 'ready':
      return trans.__('As of %1', formatClock(state.diagnostics.taken_at_ms));
    case 'failed':
      return null;
  }
}
