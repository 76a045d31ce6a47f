import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestWorkbench, type TestWorkbench } from '../workbench.fixture.ts';
import { shownEvent } from './shown-events.ts';

describe('what a window is told of calls with long arguments', () => {
  let test: TestWorkbench;
  beforeAll(async () => void (test = await openTestWorkbench()));
  afterAll(() => test.close());

  it('Arguments of a megabyte make no row, state or load longer, and are kept for whoever asks for them [K6]', async () => {
    const { workbench } = test;
    const client = await test.connect();
    const long = 'x'.repeat(900_000);
    await client.call('describe-symbol', { symbol: long });
    await client.call('list-directory', { path: long });
    let busiest = 0;
    workbench.session.events.on('changed', () => {
      busiest = Math.max(busiest, JSON.stringify(workbench.session.view()).length);
    });
    await client.call('load-system', { system: long });
    const events = workbench.activity.newest(1_000);
    expect(events.filter(({ kind }) => kind === 'call-started')).toHaveLength(3);
    expect(busiest).toBeGreaterThan(0);
    for (const told of [events.map(shownEvent), workbench.loads.all(), workbench.session.view()])
      expect(JSON.stringify(told).length).toBeLessThan(20_000);
    expect(busiest).toBeLessThan(20_000);
    const calls = events.flatMap((event) => (event.kind === 'call-started' ? [event.call] : []));
    const [details] = workbench.details.of(calls);
    expect(details!.arguments[0]!.value.length).toBeGreaterThanOrEqual(100_000);
  });

  it('A text of an event keeps its beginning, and says how much is left out', () => {
    const event = {
      kind: 'session-changed' as const,
      change: 'failed' as const,
      actor: { id: 'person', kind: 'person' as const, name: 'you' },
      session: null,
      parent: null,
      at: 0,
      seq: 1,
      summary: 'y'.repeat(5_000),
    };
    expect(shownEvent(event)).toEqual({ ...event, summary: `${'y'.repeat(1_000)}… 4,000 characters more` });
    expect(shownEvent({ ...event, summary: 'short' })).toEqual({ ...event, summary: 'short' });
  });
});
