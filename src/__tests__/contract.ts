import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeSnapshot, type IDecodedSnapshot } from '../wire/decode';
import { Fields } from '../wire/fields';

const CONTRACT = join(__dirname, '..', '..', 'contract');

/**
 * A file of contract/examples or contract/rejects.
 */
export interface ICase {
  readonly file: string;
  readonly type: string;
  readonly value: unknown;

  /**
   * Where a reject is wrong.
   */
  readonly path: string;
}

/**
 * All files of a folder of the contract.
 */
export function casesOf(folder: 'examples' | 'rejects'): ICase[] {
  const files = readdirSync(join(CONTRACT, folder)).sort();
  return files.map(file => readCase(folder, file));
}

/**
 * The payload of an example.
 */
export function exampleOf(name: string): unknown {
  return readCase('examples', `${name}.json`).value;
}

/**
 * An example of a snapshot, decoded.
 */
export function snapshotOf(name: string): IDecodedSnapshot {
  return decodeSnapshot(exampleOf(`snapshot-${name}`));
}

function readCase(folder: string, file: string): ICase {
  const text = readFileSync(join(CONTRACT, folder, file), 'utf8');
  const fields = new Fields(JSON.parse(text), file);
  return {
    file,
    type: fields.string('type'),
    value: fields.raw('value'),
    path: folder === 'rejects' ? fields.string('path') : ''
  };
}
