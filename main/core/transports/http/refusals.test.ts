import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusals, refusedInWords } from './refusals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('refused requests', () => {
  it('Refused requests are counted, the first told at once and the others together [K1, case 1]', () => {
    const told: string[] = [];
    const refusals = new Refusals((refused, since) => told.push(`${refused.count}: ${refusedInWords(refused, since)}`));
    refusals.add('Who are you?');
    expect(told).toEqual(['1: A request was refused. Who are you?']);
    for (let n = 0; n < 5000; n += 1) refusals.add(`No ${n}.`);
    vi.advanceTimersByTime(9_999);
    expect(told).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(told.slice(1)).toEqual(['5001: 5000 requests were refused, the last one: No 4999.']);
    refusals.add('Late.');
    expect(told).toHaveLength(2);
    refusals.dispose();
    expect(told.slice(2)).toEqual(['5002: A request was refused. Late.']);
    vi.advanceTimersByTime(60_000);
    expect(told).toHaveLength(3);
  });

  it('A refused request is told at once again after a quiet time [K1, case 1]', () => {
    const told: number[] = [];
    const refusals = new Refusals(({ count }) => told.push(count));
    refusals.add('a');
    vi.advanceTimersByTime(20_000);
    refusals.add('b');
    expect(told).toEqual([1, 2]);
  });
});
