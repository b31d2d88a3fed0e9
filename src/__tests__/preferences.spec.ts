import type { ReadonlyPartialJSONObject } from '@lumino/coreutils';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Signal } from '@lumino/signaling';
import { DEFAULTS, Preferences } from '../preferences';
import { Fields } from '../wire/fields';

class FakeSettings implements Preferences.ISettings {
  readonly changed = new Signal<this, void>(this);
  readonly written: [string, number | boolean][] = [];
  composite: ReadonlyPartialJSONObject = {};

  set(name: string, value: number | boolean): Promise<void> {
    this.written.push([name, value]);
    this.composite = { ...this.composite, [name]: value };
    this.changed.emit();
    return Promise.resolve();
  }
}

describe('Preferences', () => {
  let preferences: Preferences;

  beforeEach(() => {
    preferences = new Preferences();
  });

  afterEach(() => preferences.dispose());

  it('follow the settings, and keep the default of what is wrong in them', () => {
    const settings = new FakeSettings();
    settings.composite = { warnPercent: 50, idleMinutes: 'soon' };
    preferences.follow(settings);
    expect(preferences.value).toEqual({ ...DEFAULTS, warnPercent: 50 });
  });

  it('write only what is another choice', async () => {
    const settings = new FakeSettings();
    preferences.follow(settings);
    await preferences.set('keepImports', true);
    await preferences.set('askBeforeReset', false);
    expect(settings.written).toEqual([['askBeforeReset', false]]);
    expect(preferences.value.askBeforeReset).toBe(false);
  });

  it('have the defaults that the schema tells', () => {
    const text = readFileSync(
      join(__dirname, '..', '..', 'schema', 'plugin.json'),
      'utf8'
    );
    const told = new Fields(JSON.parse(text), '').object(
      'properties',
      properties =>
        Object.keys(DEFAULTS).map(name => [
          name,
          properties.object(name, fields => fields.raw('default'))
        ])
    );
    expect(Object.fromEntries(told)).toEqual(DEFAULTS);
  });
});
