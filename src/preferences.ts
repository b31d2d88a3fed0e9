import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import type { IDisposable } from '@lumino/disposable';
import { type ISignal, Signal } from '@lumino/signaling';

/**
 * What the user has chosen in the settings.
 */
export interface IPreferences {
  /** From this share of a GPU's memory on the status bar warns. */
  readonly warnPercent: number;
  /** After how many idle minutes a kernel that holds much is pointed out; 0 never. */
  readonly idleMinutes: number;
  /** How much "much" is, in GiB. */
  readonly idleGib: number;
  readonly askBeforeReset: boolean;
  readonly askBeforeObjects: boolean;
  readonly keepImports: boolean;
  readonly notifyOutOfMemory: boolean;
}

/**
 * What holds until the settings have come, and where there are none; the schema says the same.
 */
export const DEFAULTS: IPreferences = {
  warnPercent: 90,
  idleMinutes: 60,
  idleGib: 1,
  askBeforeReset: true,
  askBeforeObjects: true,
  keepImports: true,
  notifyOutOfMemory: true
};

/**
 * The user's choices, typed, and a way to change one.
 */
export class Preferences implements IDisposable {
  /**
   * Follow the settings; until this is called the defaults hold.
   */
  follow(settings: Preferences.ISettings): void {
    this._settings?.changed.disconnect(this._onChanged, this);
    this._settings = settings;
    settings.changed.connect(this._onChanged, this);
    this._onChanged();
  }

  /**
   * Emitted when a choice is another one.
   */
  get changed(): ISignal<this, void> {
    return this._changed;
  }

  get isDisposed(): boolean {
    return this._isDisposed;
  }

  get value(): IPreferences {
    return this._value;
  }

  /**
   * Remember a choice for all pages of the user.
   */
  async set<K extends keyof IPreferences>(
    name: K,
    value: IPreferences[K]
  ): Promise<void> {
    if (this._value[name] !== value) {
      await this._settings?.set(name, value);
    }
  }

  dispose(): void {
    if (this.isDisposed) {
      return;
    }
    this._isDisposed = true;
    Signal.clearData(this);
  }

  private _onChanged(): void {
    const chosen = this._settings?.composite ?? {};
    this._value = {
      warnPercent: numberOf(chosen, 'warnPercent'),
      idleMinutes: numberOf(chosen, 'idleMinutes'),
      idleGib: numberOf(chosen, 'idleGib'),
      askBeforeReset: booleanOf(chosen, 'askBeforeReset'),
      askBeforeObjects: booleanOf(chosen, 'askBeforeObjects'),
      keepImports: booleanOf(chosen, 'keepImports'),
      notifyOutOfMemory: booleanOf(chosen, 'notifyOutOfMemory')
    };
    this._changed.emit();
  }

  private _changed = new Signal<this, void>(this);
  private _isDisposed = false;
  private _settings: Preferences.ISettings | null = null;
  private _value = DEFAULTS;
}

/**
 * Types of the preferences.
 */
export namespace Preferences {
  /**
   * JupyterLab's settings of one plugin, as far as they matter here.
   */
  export interface ISettings {
    readonly changed: ISignal<unknown, void>;
    readonly composite: ReadonlyPartialJSONObject;
    set(name: string, value: number | boolean): Promise<void>;
  }
}

type Named<T> = {
  [K in keyof IPreferences]: IPreferences[K] extends T ? K : never;
}[keyof IPreferences];

function numberOf(
  chosen: ReadonlyPartialJSONObject,
  name: Named<number>
): number {
  const value = chosen[name];
  return typeof value === 'number' ? value : DEFAULTS[name];
}

function booleanOf(
  chosen: ReadonlyPartialJSONObject,
  name: Named<boolean>
): boolean {
  const value = chosen[name];
  return typeof value === 'boolean' ? value : DEFAULTS[name];
}
