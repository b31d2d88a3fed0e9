import {
  formatBytes,
  formatDuration,
  inUnit,
  percent,
  unitOf
} from '../format';
import { trans } from './trans';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

describe('a size', () => {
  it.each([
    [null, 'unknown'],
    [0, '0 B'],
    [1, '1 B'],
    [1023, '1.0 KiB'],
    [1536, '1.5 KiB'],
    [102.4 * MIB, '102 MiB'],
    [999 * MIB, '999 MiB'],
    [1000 * MIB, '1.0 GiB'],
    [13.6 * GIB, '13.6 GiB'],
    [80 * GIB, '80.0 GiB'],
    [1.5 * 1024 * GIB, '1.5 TiB']
  ])('of %p bytes reads %p', (bytes, text) => {
    expect(formatBytes(bytes, trans).replace('\u00a0', ' ')).toBe(text);
  });

  it('never reads as 0 when there is something', () => {
    expect(inUnit(MIB, unitOf(GIB))).toBe('<0.1');
    expect(inUnit(0, unitOf(GIB))).toBe('0.0');
  });
});

describe('a duration', () => {
  it.each([
    [-50, '0 s'],
    [400, '0 s'],
    [12_300, '12 s'],
    [59_800, '60 s'],
    [61_000, '1 min'],
    [3 * 3_600_000, '3 h'],
    [50 * 3_600_000, '2 d']
  ])('of %p ms reads %p', (ms, text) => {
    expect(formatDuration(ms, trans).replace('\u00a0', ' ')).toBe(text);
  });
});

describe('a share', () => {
  it.each([
    [1, 2, 50],
    [null, 2, null],
    [1, null, null],
    [1, 0, null]
  ])('%p of %p is %p per cent', (part, whole, expected) => {
    expect(percent(part, whole)).toBe(expected);
  });
});
