import { decodeCells } from '../wire/cells';
import {
  decodeErrorBody,
  decodeFreeReport,
  decodeFreeStatus,
  decodeRefreshed,
  decodeSnapshot,
  WireVersionError
} from '../wire/decode';
import { decodeDiagnostics } from '../wire/diagnostics';
import { WireError } from '../wire/fields';
import { decodeHistory } from '../wire/history';
import { decodeHolders } from '../wire/holders';
import { casesOf, exampleOf, type ICase, snapshotOf } from './contract';

/** What the page receives; the other types of the contract are sent by it or never reach it. */
const DECODERS = new Map<string, (body: unknown) => unknown>([
  ['Snapshot', body => decodeSnapshot(body).snapshot],
  ['History', decodeHistory],
  ['Diagnostics', decodeDiagnostics],
  ['Holders', decodeHolders],
  ['FreeReport', decodeFreeReport],
  ['FreeStatus', decodeFreeStatus],
  ['Cells', decodeCells],
  ['Refreshed', decodeRefreshed],
  ['ErrorBody', decodeErrorBody]
]);
const NOT_RECEIVED = [
  'FreeRequest',
  'Push',
  'AgentReply',
  'AgentHello',
  'AgentFreed',
  'AgentRefused'
];

const received = (one: ICase): boolean => DECODERS.has(one.type);

function decode(one: ICase): unknown {
  return DECODERS.get(one.type)?.(one.value);
}

function complaint(one: ICase): string {
  try {
    if (one.type === 'Snapshot') {
      return decodeSnapshot(one.value).problems.join('\n');
    }
    decode(one);
  } catch (error) {
    if (error instanceof WireError || error instanceof WireVersionError) {
      return error.message;
    }
    throw error;
  }
  return '';
}

describe('the contract', () => {
  it('has no type that this test does not know', () => {
    const types = [...casesOf('examples'), ...casesOf('rejects')]
      .map(one => one.type)
      .filter(type => !DECODERS.has(type) && !NOT_RECEIVED.includes(type));
    expect(types).toEqual([]);
  });

  it.each(casesOf('examples').filter(received))(
    'decodes $file as it is',
    one => {
      expect(decode(one)).toEqual(one.value);
    }
  );

  it.each(casesOf('rejects').filter(received))(
    'refuses $file at $path',
    one => {
      expect(complaint(one).startsWith(`${one.path}: expected `)).toBe(true);
    }
  );
});

describe('a snapshot', () => {
  const snapshot = snapshotOf('two-gpus').snapshot;

  it('is read without the device that is wrong', () => {
    const [first, second] = snapshot.devices;
    const body = { ...snapshot, devices: [{ ...first, name: 7 }, second] };
    const decoded = decodeSnapshot(body);
    expect(decoded.snapshot.devices).toEqual([second]);
    expect(decoded.problems).toEqual(['devices[0].name: expected string']);
  });

  it('is read without the kernel that is wrong', () => {
    const body = { ...snapshot, kernels: [null, ...snapshot.kernels] };
    const decoded = decodeSnapshot(body);
    expect(decoded.snapshot.kernels).toEqual(snapshot.kernels);
    expect(decoded.problems).toEqual(['kernels[0]: expected object']);
  });

  it('of another version is told apart from a broken one', () => {
    const body = { ...snapshot, wire_version: 2, providers: 'moved' };
    expect(() => decodeSnapshot(body)).toThrow(WireVersionError);
  });

  it.each([null, [], 'sign in', 4])('cannot be %j', body => {
    expect(() => decodeSnapshot(body)).toThrow('body: expected object');
  });

  it('keeps unknown figures unknown', () => {
    const { devices } = snapshotOf('trouble').snapshot;
    expect(devices[1]?.memory.used_bytes).toBeNull();
    expect(devices[1]?.processes).toBeNull();
  });
});

describe('an error body', () => {
  it('says which field is wrong', () => {
    const body = decodeErrorBody(exampleOf('error-bad-request'));
    expect(body).toMatchObject({ reason: 'bad_request', field: 'level' });
  });
});
