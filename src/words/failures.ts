import type { TranslationBundle } from '@jupyterlab/translation';
import type { Failure } from '../failure';
import type { ErrorReason } from '../wire/schema';
import type { INotice } from './notice';

/**
 * Explain why there are no new figures.
 */
export function failureNotice(
  failure: Failure,
  trans: TranslationBundle
): INotice {
  switch (failure.kind) {
    case 'unreachable':
      return {
        title: trans.__('Jupyter Server does not answer'),
        remedy: trans.__(
          'It is asked again by itself. If it was stopped, start it again and reload this page.'
        ),
        detail: ''
      };
    case 'not_enabled':
      return {
        title: trans.__('The server half of this extension is not running'),
        remedy: trans.__(
          'Install jupyterlab-gpumem in the environment of Jupyter Server, run "jupyter server extension enable jupyterlab_gpumem" there, and restart the server.'
        ),
        detail: ''
      };
    case 'not_allowed':
      return {
        title: trans.__('You are not allowed to see GPU figures'),
        remedy: trans.__(
          'Reload the page to sign in again, or ask the administrator of this server.'
        ),
        detail: ''
      };
    case 'wrong_version':
      return {
        title: trans.__('This page and the server are of different versions'),
        remedy: trans.__('Restart Jupyter Server, then reload this page.'),
        detail: ''
      };
    case 'bad_answer':
      return {
        title: trans.__('The answer of the server cannot be read'),
        remedy: trans.__(
          'Restart Jupyter Server and reload this page. If it happens again, please report it.'
        ),
        detail: failure.detail
      };
    case 'refused':
      return {
        title: trans.__('The server refused the request'),
        remedy: trans.__('See the log of Jupyter Server.'),
        detail: failure.message
      };
  }
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
    case 'in_progress':
      return trans.__('Memory of %1 is already being freed.', name);
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
