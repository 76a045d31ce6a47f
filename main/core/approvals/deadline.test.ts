import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline } from './deadline.ts';

beforeEach(() => vi.useFakeTimers());

afterEach(() => vi.useRealTimers());

describe('deadline', () => {
  it.each([2, -2])('A deadline is not moved by a clock that jumps %i hours [decision 18, case 21]', (hours) => {
    const passed = vi.fn();
    const deadline = new Deadline(60_000, passed);
    vi.advanceTimersByTime(30_000);
    vi.setSystemTime(Date.now() + hours * 3_600_000);
    deadline.pause();
    deadline.resume();
    expect(deadline.at).toBe(Date.now() + 30_000);
    vi.advanceTimersByTime(29_999);
    expect(passed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(passed).toHaveBeenCalledOnce();
  });

  it.each([true, false])('A deadline counts the sleep of the machine, paused: %s [decision 18, case 17]', (paused) => {
    let slept = 0;
    const up = os.uptime();
    const awake = performance.now();
    vi.spyOn(os, 'uptime').mockImplementation(() => up + (performance.now() - awake) / 1000 + slept);
    syncBuiltinESMExports();
    const passed = vi.fn();
    const deadline = new Deadline(5 * 60_000, passed);
    if (paused) {
      deadline.pause();
      slept = 8 * 3600;
      deadline.resume();
    }
    vi.advanceTimersByTime(60_000);
    expect([deadline.passed, deadline.at]).toEqual([false, Date.now() + 4 * 60_000]);
    slept += 8 * 3600;
    expect([deadline.passed, passed.mock.calls.length]).toEqual([true, 0]);
    vi.advanceTimersByTime(15_000);
    expect(passed).toHaveBeenCalledOnce();
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('A deadline stands still while it is paused, and never passes once it is cancelled [decision 18]', () => {
    const passed = vi.fn();
    const deadline = new Deadline(1000, passed);
    deadline.pause();
    expect(deadline.at).toBeNull();
    vi.advanceTimersByTime(3_600_000);
    deadline.resume();
    vi.advanceTimersByTime(999);
    deadline.cancel();
    vi.advanceTimersByTime(10_000);
    expect(passed).not.toHaveBeenCalled();
  });
});
