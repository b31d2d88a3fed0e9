import { Dialog, Notification, showDialog } from '@jupyterlab/apputils';
import type { TranslationBundle } from '@jupyterlab/translation';
import * as React from 'react';
import { type IObjectTicks, ObjectsList } from './components/objects-list';
import { BusyText, type IResetTicks, ResetText } from './components/reset-text';
import type { Freeing } from './freeing';
import type { GpuMemModel } from './model';
import type { Preferences } from './preferences';
import type { ITarget } from './target';
import type { Holders } from './wire/schema';

// The panel keeps the result, and so does the bell in the status bar.
const RESULT_SHOWN_MS = 15_000;

const WAIT = 'gpumem-wait';
const OBJECTS = 'gpumem-objects';

/**
 * Asks by dialogs and tells by notifications.
 */
export class Conversation implements Freeing.IUser {
  constructor(options: Conversation.IOptions) {
    this._options = options;
  }

  async askReset(target: ITarget): Promise<Freeing.ResetAnswer | null> {
    const { preferences, trans } = this._options;
    let ticks: IResetTicks = {
      keepImports: preferences.value.keepImports,
      dontAsk: false
    };
    const { button } = await showDialog({
      title: trans.__('Reset & free GPU: %1', target.name),
      body: (
        <ResetText
          {...target}
          ticks={ticks}
          onTick={changed => {
            ticks = changed;
          }}
          trans={trans}
        />
      ),
      ...buttons(target.isBusy ? busyButtons(trans) : idleButtons(trans), trans)
    });
    if (!button.accept) {
      return null;
    }
    if (button.actions.includes(OBJECTS)) {
      return { kind: 'objects' };
    }
    await preferences.set('keepImports', ticks.keepImports);
    await preferences.set('askBeforeReset', !ticks.dontAsk);
    const whenBusy = target.isBusy ? whenBusyOf(button) : 'fail';
    return { kind: 'go', whenBusy, keepImports: ticks.keepImports };
  }

  async askBusy(target: ITarget): Promise<Freeing.WhenBusy | null> {
    const { trans } = this._options;
    const { button } = await showDialog({
      title: trans.__('Free GPU objects: %1', target.name),
      body: (
        <div className="jp-GpuMem-reset">
          <BusyText trans={trans} />
          <p>
            {trans.__(
              'All names, outputs and stored errors that hold GPU memory will be dropped then. To choose among them, come back when the kernel is idle.'
            )}
          </p>
        </div>
      ),
      ...buttons(busyObjectsButtons(trans), trans)
    });
    return button.accept ? whenBusyOf(button) : null;
  }

  async askObjects(
    target: ITarget,
    holders: Holders
  ): Promise<string[] | null> {
    const { preferences, trans } = this._options;
    let ticks: IObjectTicks = { keep: [], dontAsk: false };
    const isAny = holders.holders.some(holder => holder.deletable);
    const drop = Dialog.warnButton({ label: trans.__('Free') });
    const { button } = await showDialog({
      title: trans.__('Free GPU objects: %1', target.name),
      body: (
        <ObjectsList
          kernelName={target.kernelName}
          holders={holders}
          onTick={changed => {
            ticks = changed;
          }}
          trans={trans}
        />
      ),
      ...buttons(isAny ? [drop] : [], trans)
    });
    if (!button.accept) {
      return null;
    }
    await preferences.set('askBeforeObjects', !ticks.dontAsk);
    return [...ticks.keep];
  }

  askRemove(target: ITarget, holder: Freeing.IHolder): Promise<boolean> {
    const { trans } = this._options;
    const question = {
      title: trans.__('Delete %1?', holder.path),
      text: trans.__(
        'It is dropped from the kernel of %1 and cannot be brought back.',
        target.name
      ),
      label: trans.__('Delete')
    };
    return confirm(question, trans);
  }

  tell(text: string): Freeing.Finish {
    const id = Notification.emit(text, 'in-progress', { autoClose: false });
    return result => {
      if (result === null) {
        Notification.dismiss(id);
        return;
      }
      const { text, severity } = result;
      Notification.update({
        id,
        message: text,
        type: severity,
        autoClose: RESULT_SHOWN_MS,
        actions: this._actions(result)
      });
    };
  }

  /**
   * Tell the outcome of what had been put off.
   */
  tellResult(result: GpuMemModel.IResult): void {
    Notification.emit(result.text, result.severity, {
      autoClose: RESULT_SHOWN_MS,
      actions: this._actions(result)
    });
  }

  private _actions(result: GpuMemModel.IResult): Notification.IAction[] {
    const { restart, trans } = this._options;
    const { restartId } = result;
    const label = trans.__('Restart Kernel…');
    return restartId === null
      ? []
      : [{ label, callback: () => restart(restartId) }];
  }

  private readonly _options: Conversation.IOptions;
}

/**
 * Types of the conversation.
 */
export namespace Conversation {
  export interface IOptions {
    preferences: Preferences;
    restart: (kernelId: string) => void;
    trans: TranslationBundle;
  }
}

/**
 * Ask a yes-or-no question whose yes cannot be undone.
 */
export async function confirm(
  question: { title: string; text: string; label: string },
  trans: TranslationBundle
): Promise<boolean> {
  const { title, text, label } = question;
  const { button } = await showDialog({
    title,
    body: text,
    ...buttons([Dialog.warnButton({ label })], trans)
  });
  return button.accept;
}

/**
 * Enter must not throw work away: the careful answer has the focus.
 */
function buttons(
  accepting: Dialog.IButton[],
  trans: TranslationBundle
): Pick<Dialog.IOptions<unknown>, 'buttons' | 'defaultButton'> {
  const cancel = Dialog.cancelButton({ label: trans.__('Cancel') });
  return { buttons: [cancel, ...accepting], defaultButton: 0 };
}

function idleButtons(trans: TranslationBundle): Dialog.IButton[] {
  return [
    Dialog.okButton({
      label: trans.__('Only GPU objects…'),
      className: 'jp-mod-reject',
      actions: [OBJECTS]
    }),
    Dialog.warnButton({ label: trans.__('Reset') })
  ];
}

function busyButtons(trans: TranslationBundle): Dialog.IButton[] {
  return [
    Dialog.warnButton({
      label: trans.__('Reset when it has ended'),
      actions: [WAIT]
    }),
    Dialog.warnButton({ label: trans.__('Interrupt, then reset') })
  ];
}

function busyObjectsButtons(trans: TranslationBundle): Dialog.IButton[] {
  return [
    Dialog.warnButton({
      label: trans.__('Free when it has ended'),
      actions: [WAIT]
    }),
    Dialog.warnButton({ label: trans.__('Interrupt, then free') })
  ];
}

function whenBusyOf(button: Dialog.IButton): Freeing.WhenBusy {
  return button.actions.includes(WAIT) ? 'wait' : 'interrupt';
}
