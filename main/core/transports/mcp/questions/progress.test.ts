import { describe, expect, it } from 'vitest';
import { reportProgress, type ProgressNotice } from './progress.ts';

function collect(): { notices: ProgressNotice[]; notify: (notice: ProgressNotice) => Promise<void> } {
  const notices: ProgressNotice[] = [];
  return { notices, notify: async (notice) => void notices.push(notice) };
}

describe('progress notices', () => {
  it('Progress is told to nobody who did not ask [case 19]', () => {
    expect(reportProgress(undefined, () => Promise.reject(new Error('told')), 1)).toBeNull();
  });

  it('Progress grows with each notice, also where no step is done between two, and stays below its total [case 19]', () => {
    const { notices, notify } = collect();
    const { onProgress, stop } = reportProgress('t', notify, 60_000)!;
    onProgress({ message: 'waits' });
    onProgress({ message: 'waits' });
    onProgress({ message: 'first', done: 1, total: 3 });
    for (let index = 0; index < 3; index += 1) onProgress({ message: 'still first' });
    onProgress({ message: 'last', done: 3, total: 3 });
    stop();
    const values = notices.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].toSorted((one, other) => one - other));
    expect(notices.every(({ progress, total }) => total === undefined || progress <= total)).toBe(true);
    expect(notices.at(-1)).toMatchObject({ progressToken: 't', message: 'last' });
  });

  it('Progress takes steps that come in floods together [case 19]', () => {
    const { notices, notify } = collect();
    const { onProgress, stop } = reportProgress(1, notify, 60_000)!;
    for (let done = 1; done <= 1000; done += 1) onProgress({ message: `${done}`, done, total: 1000 });
    stop();
    expect(notices.length).toBeLessThan(100);
    expect(notices.at(-1)?.message).toBe('1000');
  });
});
