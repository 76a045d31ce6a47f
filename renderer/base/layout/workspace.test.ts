import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { emptyWorkspace } from '#contract/settings.ts';

const kept: number[] = [];

beforeEach(() => {
  // Loads the modules again, because otherwise saving a workspace would continue in test files that run later in this process.
  vi.resetModules();
  vi.useFakeTimers();
  const ignore = (): void => {};
  const bridge = { call: async () => void kept.push(performance.now()), on: () => ignore };
  vi.stubGlobal('window', { addEventListener: ignore, workbench: bridge });
  vi.stubGlobal('document', { addEventListener: ignore });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetModules();
});

it('The text of somebody who types without a pause is kept every two seconds, also when the clock is set back a day [K6]', async () => {
  const { keepSoon, startKeeping } = await import('./workspace.ts');
  startKeeping(emptyWorkspace);
  const started = performance.now();
  for (let keys = 0; keys < 40; keys += 1) {
    if (keys === 4) vi.setSystemTime(Date.now() - 24 * 3_600_000);
    keepSoon();
    vi.advanceTimersByTime(250);
  }
  expect(kept.map((at) => Math.round((at - started) / 1000))).toEqual([2, 4, 6, 8, 10]);
});
