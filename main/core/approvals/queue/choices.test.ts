import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApprovalDecision } from '#contract/decisions/approval.ts';
import type { Actor } from '#contract/image/session.ts';
import { aChange, anEffect } from '../card/card.fixture.ts';
import { installCircuitBreaker } from '../circuit-breaker.ts';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { ApprovalQueue } from './queue.ts';
import type { ApprovalRequest, Approved, CardFacts, Settlement, Requester } from '../request.ts';

const agent: Actor = { id: 'client:codex', kind: 'client', name: 'codex' };

let queue: ApprovalQueue<string>;
let approved: Approved[];
let remembered: string[];

beforeEach(() => {
  vi.useFakeTimers();
  queue = new ApprovalQueue({ minutes: () => 5 });
  queue.setApprover('the test');
  approved = [];
  remembered = [];
});

afterEach(() => {
  queue.dispose();
  vi.useRealTimers();
});

const line = { kind: 'added', text: 'x', before: null, after: 1 } as const;
const hunk = { lines: [line], title: null, name: null, what: 'Line 1', evidence: null };
const change = aChange({ hunks: [hunk, hunk, hunk], added: 3 });
const effect = anEffect();

async function put(
  facts: Partial<CardFacts> = {},
  own: Partial<Requester<string>> = {},
  more: Partial<ApprovalRequest<string>> = {},
) {
  const ticket = await queue.request({
    actor: agent,
    call: 'call 1',
    tool: 'propose-file-edit',
    level: 'dangerous',
    arguments: { path: 'a' },
    rule: 'it is dangerous',
    requester: {
      draw: async () => ({
        headline: 'Change a',
        arguments: [],
        editable: null,
        change: null,
        reversible: 'no',
        claim: null,
        targetState: '1',
        ...facts,
      }),
      check: () => null,
      perform: async (_args, given) => {
        approved.push(given);
        return 'done';
      },
      ...own,
    },
    ...more,
  });
  vi.advanceTimersByTime(INERT_MS);
  const { fingerprint } = queue.view().waiting.find(({ id }) => id === ticket.id)!;
  return { ...ticket, decide: (decision: ApprovalDecision) => queue.decide(ticket.id, fingerprint, decision) };
}

describe('hunks', () => {
  it.each<[number[] | undefined, number[] | null, boolean]>([
    [undefined, null, false],
    [[0, 1, 2], null, false],
    [[2, 0, 2], [0, 2], true],
    [[1], [1], true],
  ])('Approving the hunks %j runs the request with the hunks %j [X15, D13]', async (hunks, expected, modified) => {
    const { decide, settled } = await put({ change, choosable: true });
    expect(await decide({ decision: 'approved', ...(hunks ? { hunks } : {}) })).toMatchObject({ accepted: true });
    expect([approved[0]?.hunks, await settled]).toEqual([expected, { denied: false, outcome: 'done', modified }]);
  });

  it.each<[string, number[], boolean]>([
    ['none', [], true],
    ['one that is not there', [3], true],
    ['any where none can be chosen', [0], false],
  ])('Approving a choice with %s is refused, and nothing runs [X15, D13]', async (_name, hunks, choosable) => {
    const { decide } = await put({ change, choosable });
    expect(await decide({ decision: 'approved', hunks })).toMatchObject({ accepted: false, reason: 'invalid' });
    expect(approved).toEqual([]);
  });
});

describe('record of an approval', () => {
  const scopes = () => [{ id: 'target', label: 'write-file for a, for a while', matched: 0, of: 0 }];
  it.each<[ApprovalDecision, string | null]>([
    [{ decision: 'approved' }, null],
    [{ decision: 'approved', hunks: [0, 1, 2] }, null],
    [{ decision: 'approved', hunks: [0, 2] }, '2 of 3 changes'],
    [{ decision: 'approved', path: '/b' }, 'at /b instead'],
    [
      { decision: 'approved', hunks: [1], remember: 'target' },
      '1 of 3 changes, also similar requests: write-file for a, for a while',
    ],
  ])('The record of the decision %j says what was chosen: %s [K5]', async (decision, said) => {
    const facts = { change, choosable: true, effect };
    const { decide } = await put(facts, { scopes, remember: () => true, checkPath: async () => null });
    await decide(decision);
    expect(queue.view().decided[0]!.reason).toBe(said);
  });
});

describe('other paths, aborts and remembered rules', () => {
  it('An approval with another path goes to that path once it is checked [G3]', async () => {
    const checkPath = async (path: string) => (path.startsWith('/a') ? null : 'It lies outside.');
    const { decide, settled } = await put({ effect }, { checkPath });
    expect(await decide({ decision: 'approved', path: '/etc/passwd' })).toMatchObject({ message: 'It lies outside.' });
    await decide({ decision: 'approved', path: '/a/b' });
    expect([approved, (await settled) as unknown]).toMatchObject([[{ path: '/a/b' }], { modified: true }]);
  });

  it('An approval with another path is refused where another path makes no sense [G3]', async () => {
    const { decide } = await put();
    expect(await decide({ decision: 'approved', path: '/a/b' })).toMatchObject({ reason: 'invalid' });
  });

  it('A denial that aborts tells the client of the abort [G3]', async () => {
    const { decide, settled } = await put({ effect });
    await decide({ decision: 'denied', reason: 'Enough.', abort: true });
    expect(await settled).toEqual({ denied: true, reason: 'Enough.', abort: true } satisfies Settlement<string>);
  });

  it('Only an offered rule is remembered, and only with the approval [G3]', async () => {
    const scopes = () => [{ id: 'target', label: 'write for a', matched: 1, of: 2 }];
    const remember = (scope: string) => remembered.push(scope) > 0;
    const { decide } = await put({}, { scopes, remember });
    expect(await decide({ decision: 'approved', remember: 'everything' })).toMatchObject({ reason: 'invalid' });
    expect(remembered).toEqual([]);
    await decide({ decision: 'approved', remember: 'target' });
    expect(remembered).toEqual(['target']);
  });
});

describe('request', () => {
  it('A request that is withdrawn is denied by the workbench, and a later click counts for nothing', async () => {
    const { id, decide, settled } = await put();
    queue.withdraw(id, 'The code was interrupted.');
    expect(await decide({ decision: 'approved' })).toMatchObject({ reason: 'gone' });
    expect([await settled, queue.view().decided[0]?.by]).toEqual([
      { denied: true, reason: 'The code was interrupted.', by: 'the workbench' },
      'the workbench',
    ]);
  });

  it('A request that shows more than before is drawn anew and inert again', async () => {
    let targetState = '1';
    const draw = async (): Promise<CardFacts> => ({
      headline: 'Delete',
      arguments: [],
      editable: null,
      change: null,
      reversible: 'no',
      claim: null,
      targetState,
    });
    const { id, decide } = await put({}, { draw });
    targetState = '2';
    await queue.redraw(id, '3 more wait for the same.');
    expect(queue.view().waiting[0]).toMatchObject({ notice: '3 more wait for the same.' });
    expect(await decide({ decision: 'approved' })).toMatchObject({ reason: 'stale' });
    expect(await queue.decide(id, queue.view().waiting[0]!.fingerprint, { decision: 'approved' })).toMatchObject({
      reason: 'too-soon',
    });
  });

  describe('admission control', () => {
    const never = () => new AbortController().signal;

    it('A request without room for a card waits in line where it can, and has its card when another was decided [K1]', async () => {
      const cards = [];
      for (const n of [1, 2, 3]) cards.push(await put({}, {}, { arguments: { n }, queueUntil: never() }));
      const fourth = put({}, {}, { arguments: { n: 4 }, queueUntil: never() });
      const fifth = put({}, {}, { arguments: { n: 5 }, queueUntil: never() });
      expect(queue.view()).toMatchObject({ inLine: 2, waiting: { length: 3 } });
      await expect(put({}, {}, { arguments: { n: 6 } })).rejects.toThrow(/already waiting for a person/);
      await cards[0]!.decide({ decision: 'denied', reason: 'No.' });
      await fourth;
      expect(queue.view()).toMatchObject({ inLine: 1, waiting: { length: 3 } });
      queue.withdraw(cards[1]!.id, 'gone');
      await fifth;
      expect(queue.view()).toMatchObject({ inLine: 0, waiting: { length: 3 } });
    });

    it('A request leaves the line when nobody waits for it, when its client is stopped, and when nobody can approve [K1]', async () => {
      for (const n of [1, 2, 3]) await put({}, {}, { arguments: { n }, queueUntil: never() });
      const over = new AbortController();
      const waits = [
        put({}, {}, { arguments: { n: 4 }, queueUntil: over.signal }),
        put({}, {}, { arguments: { n: 5 }, queueUntil: never() }),
      ];
      const ends = waits.map((each) => each.catch((error: Error) => error.message));
      over.abort();
      expect(await ends[0]).toBe('The code stopped waiting.');
      queue.denyAllOf('client:codex', 'The person has stopped it.');
      expect(await ends[1]).toBe('The person has stopped it.');
      expect(queue.view()).toMatchObject({ inLine: 0, waiting: [] });
      for (const n of [1, 2, 3]) await put({}, {}, { arguments: { n }, queueUntil: never() });
      const last = put({}, {}, { arguments: { n: 4 }, queueUntil: never() });
      queue.setApprover(null, 'The window was closed.');
      await expect(last).rejects.toThrow('The window was closed.');
    });

    it('A request in line is denied when nobody decided about those before it in time [K1]', async () => {
      for (const n of [1, 2, 3]) await put({}, {}, { arguments: { n }, queueUntil: never() });
      queue.setEditing(queue.view().waiting[0]!.id, true); // the card stays, because its clock is stopped
      queue.setEditing(queue.view().waiting[1]!.id, true);
      queue.setEditing(queue.view().waiting[2]!.id, true);
      const end = put({}, {}, { arguments: { n: 4 }, queueUntil: never() }).catch((error: Error) => error.message);
      vi.advanceTimersByTime(5 * 60_000);
      expect(await end).toBe('3 other requests are waiting for the person, who did not decide within 5 minutes.');
    });

    it('A request that cannot be drawn has no card and keeps no room [K1]', async () => {
      const draw = () => Promise.reject(new Error('There is no such file.'));
      for (const n of [1, 2, 3, 4])
        await expect(put({}, { draw }, { arguments: { n } })).rejects.toThrow('no such file');
      for (const n of [1, 2, 3]) await put({}, {}, { arguments: { n } });
    });
  });
});

describe('circuit breaker', () => {
  it('Three refusals in a row pause the client, unless an approval comes between them or nobody denied', async () => {
    const paused: string[] = [];
    installCircuitBreaker(queue, (client) => paused.push(client));
    let call = 0;
    const asked = async (decision: ApprovalDecision) =>
      (await put({}, {}, { arguments: { n: (call += 1) } })).decide(decision);
    const no = { decision: 'denied', reason: 'No.' } as const;
    await asked(no);
    await asked(no);
    await asked({ decision: 'approved' });
    await asked(no);
    await asked(no);
    queue.withdraw((await put({}, {}, { arguments: { n: 0 } })).id, 'gone');
    expect(paused).toEqual([]);
    await asked(no);
    expect(paused).toEqual(['client:codex']);
  });
});
