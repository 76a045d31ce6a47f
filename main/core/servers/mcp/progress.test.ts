import { describe, expect, it } from 'vitest';
import { reportProgress, type ProgressNotice } from './progress.ts';

function collect(): { notices: ProgressNotice[]; notify: (notice: ProgressNotice) => Promise<void> } {
  const notices: ProgressNotice[] = [];
  return { notices, notify: async (notice) => void notices.push(notice) };
}

describe('case 19 progress', () => {
  it('is told to nobody who did not ask', () => {
    const { notices, notify } = collect();
    const { news, stop } = reportProgress(undefined, notify, 1);
    news({ message: 'x' });
    stop();
    expect(notices).toEqual([]);
  });

  it('grows with each notice, also where no step is done between two, and stays below its total', () => {
    const { notices, notify } = collect();
    const { news, stop } = reportProgress('t', notify, 60_000);
    news({ message: 'waits' });
    news({ message: 'waits' });
    news({ message: 'first', done: 1, total: 3 });
    for (let index = 0; index < 3; index += 1) news({ message: 'still first' });
    news({ message: 'last', done: 3, total: 3 });
    stop();
    const values = notices.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].toSorted((one, other) => one - other));
    expect(notices.every(({ progress, total }) => total === undefined || progress <= total)).toBe(true);
    expect(notices.at(-1)).toMatchObject({ progressToken: 't', message: 'last' });
  });

  it('takes steps that come in floods together', () => {
    const { notices, notify } = collect();
    const { news, stop } = reportProgress(1, notify, 60_000);
    for (let done = 1; done <= 1000; done += 1) news({ message: `${done}`, done, total: 1000 });
    stop();
    expect(notices.length).toBeLessThan(100);
    expect(notices.at(-1)?.message).toBe('1000');
  });
});
