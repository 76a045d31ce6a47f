import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ResponseDeadlines } from './response-deadlines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched(): { deadlines: ResponseDeadlines; late: string[]; set: (id: string, ms: number) => void } {
  const deadlines = new ResponseDeadlines();
  const late: string[] = [];
  return { deadlines, late, set: (id, ms) => deadlines.set(id, ms, () => late.push(id)) };
}

it('Each call is told late at its own time, whatever order they began in', () => {
  const { late, set } = watched();
  set('long', 300);
  set('short', 100);
  vi.advanceTimersByTime(50);
  set('middle', 150);
  vi.advanceTimersByTime(49);
  expect(late).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(late).toEqual(['short']);
  vi.advanceTimersByTime(100);
  expect(late).toEqual(['short', 'middle']);
  vi.advanceTimersByTime(100);
  expect(late).toEqual(['short', 'middle', 'long']);
  vi.advanceTimersByTime(1_000);
  expect(late.length).toBe(3);
});

it('A call that was answered is never late, and one that begins afterwards is in time', () => {
  const { deadlines, late, set } = watched();
  set('quick', 100);
  vi.advanceTimersByTime(60);
  deadlines.clear('quick');
  set('next', 100);
  vi.advanceTimersByTime(99);
  expect(late).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(late).toEqual(['next']);
});

it('Thousands of calls one after the other set one timer', () => {
  const { deadlines, set } = watched();
  for (let n = 0; n < 2_000; n += 1) {
    set(`call ${n}`, 50_000);
    deadlines.clear(`call ${n}`);
  }
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
});

it('A deadline that is set while another is told late counts as well', () => {
  const deadlines = new ResponseDeadlines();
  const late: string[] = [];
  deadlines.set('first', 10, () => {
    late.push('first');
    deadlines.set('second', 5, () => late.push('second'));
  });
  vi.advanceTimersByTime(15);
  expect(late).toEqual(['first', 'second']);
});
