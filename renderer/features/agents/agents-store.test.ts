import { describe, expect, it, vi } from 'vitest';
import type { HostedAgent } from '#contract/clients/hosted-agent.ts';
import { shownAmong } from './agents-store.ts';

vi.mock('../../base/bridge.ts', () => ({ call: vi.fn(), on: () => () => undefined, messageOf: String }));

const agents = ['a', 'b'].map((id) => ({ id }) as HostedAgent);
const none = { shown: null, starting: false, read: null };

describe('agent that is shown', () => {
  it('The chosen agent is shown as long as it is there, else the newest [issue 14.3]', () => {
    expect(shownAmong(agents, { ...none, shown: 'a' })?.id).toBe('a');
    expect(shownAmong(agents, { ...none, shown: 'gone' })?.id).toBe('b');
    expect(shownAmong(agents, none)?.id).toBe('b');
    expect(shownAmong([], none)).toBeNull();
  });

  it('No agent is shown beside the start page, or beside a conversation that is read [issue 14.3]', () => {
    const read = {
      id: 'k',
      program: 'claude-code',
      title: 'Claude Code',
      standing: 'unconfined' as const,
      startedAt: 0,
      about: 'sq',
      items: 3,
    };
    expect(shownAmong(agents, { ...none, starting: true })).toBeNull();
    expect(shownAmong(agents, { ...none, read })).toBeNull();
  });
});
