import { describe, expect, it } from 'vitest';
import { compare, duration, interleave, isMet, quantile, size, summarize, table } from './measure.ts';

describe('statistics', () => {
  it.each([
    ['the only sample', [7], 0.95, 7],
    ['the middle one, whatever the order', [9, 1, 5], 0.5, 5],
    ['between the two middle ones', [1, 2, 4, 8], 0.5, 3],
    ['in proportion between two samples', [0, 10], 0.95, 9.5],
    ['the ends', [3, 1, 2], 1, 3],
  ])('A quantile is %s', (_case, samples, at, expected) => {
    expect(quantile(samples, at)).toBeCloseTo(expected);
  });

  it('No samples have no quantile', () => {
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('Samples are left as they came', () => {
    const samples = [3, 1, 2];
    expect(summarize(samples)).toEqual({ median: 2, p95: 2.9, least: 1, samples: 3 });
    expect(samples).toEqual([3, 1, 2]);
  });
});

describe('comparison', () => {
  it('The ratio is of medians, so that one late sample does not decide', () => {
    expect(compare('x', [2, 2, 900], [1, 1, 1], 2)).toMatchObject({ ratio: 2, atBest: 2, ours: { median: 2 } });
  });

  it('A goal is met up to and with its ratio, and a line without one is neither met nor missed', () => {
    expect([1.5, 1.49, null].map((goal) => isMet(compare('x', [3], [2], goal)))).toEqual([true, false, null]);
  });

  it('A bound on our own median is met up to and with it, beside the ratio or alone', () => {
    const met = (goal: number | null, most: number): boolean | null =>
      isMet(compare('x', [3, 3, 900], [2], goal, 'milliseconds', most));
    expect([met(null, 3), met(null, 2.9), met(1.5, 3), met(1.4, 3)]).toEqual([true, false, true, false]);
  });
});

describe('turns', () => {
  it('The sides alternate and change places every round, and warm-ups are thrown away', async () => {
    const order: string[] = [];
    const side = (name: string) => async () => order.push(name);
    const taken = await interleave({ a: side('a'), b: side('b') }, { warmUp: 1, rounds: 2, inARow: 2 });
    expect(order.join('')).toBe('bbaaaabbbbaa');
    expect(taken).toEqual({
      a: [5, 6, 11, 12].map(() => expect.any(Number) as number),
      b: expect.any(Array) as number[],
    });
    expect(taken.a.concat(taken.b).toSorted((left, right) => left - right)).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
  });
});

describe('table', () => {
  it.each([
    [0.0854, '85 µs'],
    [4.2123, '4.21 ms'],
    [42.12, '42.1 ms'],
    [639.7, '640 ms'],
  ])('A duration of %d ms reads %s', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });

  it.each([
    [640_400, '640 kB'],
    [52_123_000, '52.1 MB'],
    [1_234_500_000, '1235 MB'],
  ])('A size of %d octets reads %s', (octets, text) => {
    expect(size(octets)).toBe(text);
  });

  it('The table has a line for each comparison, and says what was missed', () => {
    const lines = table([
      compare('evaluate', [0.2], [0.1], 1.5),
      compare('detail', [1], [1], null),
      compare('memory', [3e6], [2e6], 2, 'octets'),
      compare('call', [1], [2], null, 'milliseconds', 1.5),
    ]).split('\n');
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['what', 'ours', 'p95', 'floor or peer', 'p95', 'ratio', 'at best', 'goal', 'met'],
      ['evaluate', '200 µs', '200 µs', '100 µs', '100 µs', '2.00 ×', '2.00 ×', '≤ 1.5 ×', 'no'],
      ['detail', '1.00 ms', '1.00 ms', '1.00 ms', '1.00 ms', '1.00 ×', '1.00 ×'],
      ['memory', '3.00 MB', '3.00 MB', '2.00 MB', '2.00 MB', '1.50 ×', '1.50 ×', '≤ 2 ×', 'yes'],
      ['call', '1.00 ms', '1.00 ms', '2.00 ms', '2.00 ms', '0.50 ×', '0.50 ×', '≤ 1.50 ms', 'yes'],
    ]);
  });
});
