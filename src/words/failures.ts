import type { TranslationBundle } from '@jupyterlab/translation';
import type { Failure } from '../failure';
import type { ErrorReason } from '../wire/schema';
import type { INotice } from './notice';

const RESTART_REASONS: readonly ErrorReason[] = [
  'still_busy',
  'kernel_failed',
  'timeout'
];

/**
 * Explain why there are no new figures.
 */
export function failureNotice(
  failure: Failure,
  trans: TranslationBundle
): INotice {
  return {
    title: titleOf(failure.kind, trans),
    remedy: remedyOf(failure.kind, trans),
    detail: detailOf(failure)
  };
}

/**
 * Say in a sentence or two why nothing was freed in the kernel called `name`, and what to do.
 */
export function freeFailure(
  failure: Failure,
  name: string,
  trans: TranslationBundle
): string {
  if (failure.kind === 'refused') {
    return refusal(failure.reason, failure.message, name, trans);
  }
  const notice = failureNotice(failure, trans);
  return trans.__(
    'Nothing was freed from %1. %2. %3',
    name,
    notice.title,
    notice.remedy
  );
}

/**
 * Say why what holds the memory in the kernel called `name` cannot be listed.
 */
export function holdersFailure(
  failure: Failure,
  name: string,
  trans: TranslationBundle
): string {
  if (failure.kind !== 'refused') {
    const notice = failureNotice(failure, trans);
    return `${notice.title}. ${notice.remedy}`;
  }
  return failure.reason === 'busy'
    ? trans.__(
        'A cell is running: what holds the memory can be listed when it has ended.'
      )
    : refusal(failure.reason, failure.message, name, trans);
}

/**
 * Whether a restart of the kernel is the way out.
 */
export function asksForRestart(failure: Failure): boolean {
  return failure.kind === 'refused' && RESTART_REASONS.includes(failure.reason);
}

function refusal(
  reason: ErrorReason,
  message: string,
  name: string,
  trans: TranslationBundle
): string {
  switch (reason) {
    case 'busy':
      return trans.__(
        'A cell is running in %1. Wait until it has finished, or interrupt it, and try again.',
        name
      );
    case 'still_busy':
      return trans.__(
        'The running cell in %1 did not stop when interrupted. Wait for it, or restart the kernel.',
        name
      );
    case 'nothing_waits':
      return trans.__('No cleanup waits in %1 any more.', name);
    case 'no_agent':
      return trans.__(
        'Memory of %1 cannot be freed from here: its kernel is not a Python kernel, is still starting, or our agent is switched off (GpuMem.attach). Restart the kernel if this stays.',
        name
      );
    case 'unknown_kernel':
      return trans.__('The kernel of %1 has ended.', name);
    case 'timeout':
      return trans.__(
        'The kernel of %1 did not finish in time. It may still be freeing; if it stays busy, restart it.',
        name
      );
    case 'nothing_waits':
    case 'in_progress':
      return late(reason, name, trans);
    case 'kernel_failed':
    case 'refused':
    case 'bad_request':
      return quoted(reason, message, name, trans);
  }
}

/**
 * Refusals of what somebody else was first with.
 */
function late(
  reason: 'nothing_waits' | 'in_progress',
  name: string,
  trans: TranslationBundle
): string {
  return reason === 'in_progress'
    ? trans.__('Memory of %1 is already being freed.', name)
    : trans.__('Nothing waits to be freed in %1 any more.', name);
}

/**
 * Refusals whose cause only the server's own words tell.
 */
function quoted(
  reason: 'kernel_failed' | 'refused' | 'bad_request',
  message: string,
  name: string,
  trans: TranslationBundle
): string {
  switch (reason) {
    case 'kernel_failed':
      return trans.__(
        'The kernel of %1 failed while freeing. Restart the kernel. (%2)',
        name,
        message
      );
    case 'refused':
      return trans.__('The kernel of %1 refused to free: %2', name, message);
    case 'bad_request':
      return trans.__(
        'The server did not understand the request. Restart Jupyter Server and reload this page. (%1)',
        message
      );
  }
}

function titleOf(kind: Failure['kind'], trans: TranslationBundle): string {
  switch (kind) {
    case 'unreachable':
      return trans.__('Jupyter Server does not answer');
    case 'not_enabled':
      return trans.__('The server half of this extension is not running');
    case 'not_allowed':
      return trans.__('You are not allowed to see GPU figures');
    case 'wrong_version':
      return trans.__('This page and the server are of different versions');
    case 'bad_answer':
      return trans.__('The answer of the server cannot be read');
    case 'refused':
      return trans.__('The server refused the request');
  }
}

function remedyOf(kind: Failure['kind'], trans: TranslationBundle): string {
  switch (kind) {
    case 'unreachable':
      return trans.__(
        'It is asked again by itself. If it was stopped, start it again and reload this page.'
      );
    case 'not_enabled':
      return trans.__(
        'Install jupyterlab-gpumem in the environment of Jupyter Server, run "jupyter server extension enable jupyterlab_gpumem" there, and restart the server.'
      );
    case 'not_allowed':
      return trans.__(
        'Reload the page to sign in again, or ask the administrator of this server.'
      );
    case 'wrong_version':
      return trans.__('Restart Jupyter Server, then reload this page.');
    case 'bad_answer':
      return trans.__(
        'Restart Jupyter Server and reload this page. If it happens again, please report it.'
      );
    case 'refused':
      return trans.__('See the log of Jupyter Server.');
  }
}

function detailOf(failure: Failure): string {
  switch (failure.kind) {
    case 'bad_answer':
      return failure.detail;
    case 'refused':
      return failure.message;
    case 'unreachable':
    case 'not_enabled':
    case 'not_allowed':
    case 'wrong_version':
      return '';
  }
}
