import { Dialog, Notification, showDialog } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { ResetText } from './components/reset-text';
import type { Freeing } from './freeing';
import type { GpuMemModel } from './model';
import type { ITarget } from './target';

// The panel keeps the result, and so does the bell in the status bar.
const RESULT_SHOWN_MS = 15_000;

/**
 * Ask whether a kernel shall be reset; null means no.
 */
export async function askReset(
  target: ITarget,
  trans: TranslationBundle
): Promise<Freeing.IChoice | null> {
  const result = await showDialog({
    title: trans.__('Reset & free GPU: %1', target.name),
    body: (
      <ResetText
        kernelName={target.kernelName}
        isBusy={target.isBusy}
        reservedBytes={target.reservedBytes}
        trans={trans}
      />
    ),
    checkbox: {
      label: trans.__('Keep imports'),
      caption: trans.__(
        'Keep modules and what was imported from modules, so that the first cell need not run again.'
      ),
      checked: true
    },
    buttons: [
      Dialog.cancelButton({ label: trans.__('Cancel') }),
      Dialog.warnButton({
        label: target.isBusy
          ? trans.__('Interrupt, then reset')
          : trans.__('Reset')
      })
    ],
    // Enter must not throw work away: the careful answer has the focus.
    defaultButton: 0
  });
  return result.button.accept
    ? { keepImports: result.isChecked ?? true }
    : null;
}

/**
 * Tell by a notification that something has begun; what it returns tells the outcome in the same place.
 */
export function notifyProgress(text: string): Freeing.Finish {
  const id = Notification.emit(text, 'in-progress', { autoClose: false });
  return (result: GpuMemModel.IResult | null) => {
    if (result === null) {
      Notification.dismiss(id);
      return;
    }
    Notification.update({
      id,
      message: result.text,
      type: result.severity,
      autoClose: RESULT_SHOWN_MS
    });
  };
}
