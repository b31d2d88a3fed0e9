import type { Failure } from '../failure';
import { decodeFreeReport } from '../wire/decode';
import { DEVICE_STATES, type Members, PROVIDER_STATES } from '../wire/members';
import type { FreeReport, Provider, ProviderState } from '../wire/schema';
import { deviceSummary, deviceTrouble } from '../words/devices';
import { failureNotice, freeFailure } from '../words/failures';
import {
  activityWords,
  operationWords,
  ageWords,
  agentWords
} from '../words/kernels';
import { providerNotice } from '../words/providers';
import { reportResult } from '../words/report';
import { exampleOf, snapshotOf } from './contract';
import { TARGET } from './fake-freeing';
import { trans } from './trans';
import { decodeHolders } from '../wire/holders';
import { EXPLANATION_CODES } from '../wire/members';
import { explanationWords } from '../words/explanations';

const QUIET: ProviderState[] = ['ok', 'off'];
const HINTS = [
  null,
  'install_driver',
  'container_utility_capability',
  'restart_server_after_driver_upgrade',
  'wsl_library_order',
  'restart_container',
  'permission',
  'old_binding',
  'a_code_of_tomorrow'
];

function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}

function providerOf(state: ProviderState, hint: string | null): Provider {
  return { name: 'nvml', state, detail: '', hint };
}

function namesOf<T extends string>(members: Members<T>): T[] {
  return Object.keys(members).filter((name): name is T => name in members);
}

describe('a provider', () => {
  const loud = namesOf(PROVIDER_STATES).filter(state => !QUIET.includes(state));

  it.each(loud)('that is %s is explained', state => {
    const notice = providerNotice(providerOf(state, null), trans);
    expect(notice?.title).toMatch(/\S/);
    expect(notice?.remedy === '').toBe(state === 'starting');
  });

  it.each(QUIET)('that is %s needs no word', state => {
    expect(providerNotice(providerOf(state, null), trans)).toBeNull();
  });

  it.each(HINTS)('with the hint %p has a remedy', hint => {
    const notice = providerNotice(providerOf('error', hint), trans);
    expect(notice?.remedy).toMatch(/\.$/);
    expect(notice?.remedy).not.toContain('_of_tomorrow');
  });
});

describe('a device', () => {
  it.each(namesOf(DEVICE_STATES))('that is %s says so', state => {
    const [device] = snapshotOf('two-gpus').snapshot.devices;
    const words = device && deviceTrouble({ ...device, state }, trans);
    expect(words === null).toBe(state === 'ok');
  });

  it('with old figures says how old', () => {
    const [device] = snapshotOf('trouble').snapshot.devices;
    expect(device && plain(deviceTrouble(device, trans) ?? '')).toContain(
      '17 s old'
    );
  });

  it('is summed up in a line that says when it is simulated', () => {
    const [device] = snapshotOf('simulated').snapshot.devices;
    expect(device && plain(deviceSummary(device, trans))).toBe(
      'GPU 0 · 7.6 / 8.0 GiB (95 %), simulated'
    );
  });
});

describe('a kernel', () => {
  const { taken_at_ms, kernels } = snapshotOf('two-gpus').snapshot;
  const [train, evaluation, old] = kernels;

  it('says what it does', () => {
    const words = [train, evaluation, old].map(
      kernel => kernel && plain(activityWords(kernel, taken_at_ms, trans))
    );
    expect(words).toEqual(['idle', 'running a cell', 'idle for 3 h']);
  });

  it('says how old its figures are only while a cell changes them', () => {
    const words = [evaluation, old].map(
      kernel => kernel && ageWords(kernel, taken_at_ms, 1000, trans)
    );
    expect(words).toEqual(['figures 8\u00a0s old', null]);
  });

  it.each(['waiting', 'unsupported', 'off', 'failed'] as const)(
    'whose agent is %s says why there are no details',
    state => {
      const agent = { state, reason: null, sampled_at_ms: null };
      expect(train && agentWords({ ...train, agent }, trans)).toMatch(/\.$/);
    }
  );

  it('says that it is being freed', () => {
    const [demo] = snapshotOf('simulated').snapshot.kernels;
    expect(demo && operationWords(demo, trans)).toBe('Interrupting the cell…');
  });
});

describe('a failure', () => {
  const failures: Failure[] = [
    { kind: 'unreachable' },
    { kind: 'not_enabled' },
    { kind: 'not_allowed' },
    { kind: 'wrong_version' },
    { kind: 'bad_answer', detail: '500' },
    { kind: 'refused', reason: 'timeout', message: 'no' }
  ];

  it.each(failures)('of kind $kind has a remedy', failure => {
    expect(failureNotice(failure, trans).remedy).toMatch(/\.$/);
    expect(freeFailure(failure, 'train.ipynb', trans)).toContain('train.ipynb');
  });
});

describe('a report', () => {
  const reset = decodeFreeReport(exampleOf('free-report-reset'));
  const say = (report: FreeReport): string =>
    plain(reportResult(report, TARGET, trans).text);

  it('says what came free, what is held and what stays', () => {
    expect(say(reset)).toBe(
      'Freed 13.6 GiB from train.ipynb. Still held: 102 MiB. 512 MiB is the CUDA context and goes only with the kernel.'
    );
  });

  it('fits into a notification', () => {
    expect(say(reset).length).toBeLessThanOrEqual(140);
  });

  it('does not call kept tensors "still held" when only the cache was meant', () => {
    const cache = decodeFreeReport(exampleOf('free-report-cache'));
    expect(say(cache)).toBe(
      'Freed 1.8 GiB from train.ipynb. 512 MiB is the CUDA context and goes only with the kernel.'
    );
  });

  it('says that it was main memory when no GPU was in use, and which step failed', () => {
    const host = decodeFreeReport(exampleOf('free-report-host-failed-step'));
    const result = reportResult(host, TARGET, trans);
    expect(result.severity).toBe('warning');
    expect(plain(result.text)).toBe(
      'Freed 1.5 GiB of main memory from train.ipynb. These steps failed: figures (RuntimeError: main thread is not in main loop).'
    );
  });

  it('shortens what a library says at length', () => {
    const [step] = reset.steps;
    const error = `RuntimeError: ${'because '.repeat(60)}`;
    const steps = step ? [{ ...step, error }] : [];
    expect(say({ ...reset, steps }).length).toBeLessThan(240);
  });

  it('does not claim to have freed what was not there', () => {
    const nothing = {
      ...reset,
      before: [],
      after: [],
      freed_bytes: 0,
      freed_host_bytes: 0,
      still_held_bytes: 0,
      context_bytes: null
    };
    expect(say(nothing)).toBe('Reset train.ipynb. It held no GPU tensors.');
    expect(say({ ...nothing, level: 'cache' })).toBe(
      'train.ipynb had no unused cache.'
    );
  });
});

describe('an explanation', () => {
  const codes = Object.keys(EXPLANATION_CODES);

  it.each(codes)('says %s in sentences', code => {
    const explanation = decodeHolders({
      ...Object(exampleOf('holders')),
      explanations: [{ code, path: 'x', other: 'y', bytes: 2 ** 30, count: 3 }]
    }).explanations[0];
    const words = explanation && explanationWords(explanation, trans);
    expect(words).toMatch(/^[A-Z0-9x].*\.$/);
    expect(words).not.toMatch(/%\d|undefined|null/);
  });
});
