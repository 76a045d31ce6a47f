import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TimeLimit } from './time-limit.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('A time limit stops its evaluation once, after as many seconds as it ran', () => {
  const stop = vi.fn<() => void>();
  const limit = new TimeLimit(10, stop);
  vi.advanceTimersByTime(9_999);
  expect([stop.mock.calls.length, limit.exceeded]).toEqual([0, false]);
  vi.advanceTimersByTime(1);
  expect([stop.mock.calls.length, limit.exceeded]).toEqual([1, true]);
});

it('The time in which an evaluation is suspended does not count towards its limit', () => {
  const stop = vi.fn<() => void>();
  const limit = new TimeLimit(10, stop);
  vi.advanceTimersByTime(4_000);
  limit.pause();
  limit.pause();
  vi.advanceTimersByTime(60_000);
  limit.resume();
  limit.resume();
  vi.advanceTimersByTime(5_999);
  expect(stop).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(stop).toHaveBeenCalledOnce();
});

it('Without seconds an evaluation is never stopped', () => {
  const stop = vi.fn<() => void>();
  const limit = new TimeLimit(null, stop);
  limit.resume();
  vi.advanceTimersByTime(1e9);
  expect([stop.mock.calls.length, limit.exceeded]).toEqual([0, false]);
});
