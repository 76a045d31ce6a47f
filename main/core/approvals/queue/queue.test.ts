import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApprovalDecision } from '#contract/decisions/approval.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { ApprovalQueue } from './queue.ts';
import { ApprovalRecords } from '../results/records.ts';
import type { ApprovalRequest, CardFacts, Settlement, Requester } from '../request.ts';

const agent: Actor = { id: 'client:codex', kind: 'client', name: 'codex' };
const other: Actor = { id: 'client:claude', kind: 'client', name: 'claude' };

let queue: ApprovalQueue<string>;
let ran: { args: Record<string, unknown>; modified: boolean }[];
let target: string;

beforeEach(() => {
  vi.useFakeTimers();
  queue = new ApprovalQueue({ minutes: () => 5 });
  queue.setApprover('the test');
  ran = [];
  target = 'state 1';
});

afterEach(() => {
  queue.dispose();
  vi.useRealTimers();
});

function request(
  change: Partial<ApprovalRequest<string>> = {},
  own: Partial<Requester<string>> = {},
): ApprovalRequest<string> {
  const facts = (): CardFacts => ({
    headline: 'Write',
    arguments: [],
    editable: 'content',
    change: null,
    reversible: 'no',
    claim: null,
    targetState: target,
  });
  return {
    actor: agent,
    call: 'call 1',
    tool: 'write-file',
    level: 'dangerous',
    arguments: { path: 'a', content: 'b' },
    rule: 'it is dangerous',
    requester: {
      draw: async () => facts(),
      check: (args) => (typeof args['content'] === 'string' ? null : 'content must be a string'),
      perform: async (args, { original }) => {
        ran.push({ args, modified: original !== null });
        return 'done';
      },
      ...own,
    },
    ...change,
  };
}

async function wait(
  change: Partial<ApprovalRequest<string>> = {},
  own: Partial<Requester<string>> = {},
): Promise<{ id: string; fingerprint: string; settled: Promise<Settlement<string>> }> {
  const { id, settled } = await queue.request(request(change, own));
  vi.advanceTimersByTime(INERT_MS);
  return { id, settled, fingerprint: queue.view().waiting[0]!.fingerprint };
}

describe('dangerous call', () => {
  it('A dangerous call runs with its own arguments after the click, never before [X9, X10, X13, X37]', async () => {
    const { id, fingerprint, settled } = await wait();
    expect(ran).toEqual([]);
    expect(await queue.decide(id, fingerprint, { decision: 'approved' })).toMatchObject({ accepted: true });
    expect(await settled).toEqual({ denied: false, outcome: 'done', modified: false });
    expect(ran).toEqual([{ args: { path: 'a', content: 'b' }, modified: false }]);
  });

  it('A dangerous call never runs after a denial, which carries its reason [X9, X11, X13]', async () => {
    const { id, fingerprint, settled } = await wait();
    await queue.decide(id, fingerprint, { decision: 'denied', reason: 'Not this file.' });
    expect(await settled).toEqual({ denied: true, reason: 'Not this file.' });
    expect(ran).toEqual([]);
  });

  it('A dangerous call runs with the arguments that the person gave it [X9, X12, X13, decision 18]', async () => {
    const { id, fingerprint, settled } = await wait();
    await queue.decide(id, fingerprint, { decision: 'modified', arguments: { path: 'a', content: 'better' } });
    expect(await settled).toMatchObject({ denied: false, modified: true });
    expect(ran).toEqual([{ args: { path: 'a', content: 'better' }, modified: true }]);
  });

  it('A dangerous call asks again when the edited arguments make no sense [X9, X13]', async () => {
    const { id, fingerprint } = await wait();
    expect(await queue.decide(id, fingerprint, { decision: 'modified', arguments: { path: 'a', content: 1 } })).toEqual(
      {
        accepted: false,
        reason: 'invalid',
        message: 'content must be a string',
      },
    );
    expect(queue.view().waiting.length).toBe(1);
  });

  it('A dangerous call asks again, with the reason, when nothing can be drawn of the edited arguments [X9, X13]', async () => {
    const draw = async (args: Record<string, unknown>): Promise<CardFacts> => {
      if (args['content'] === '(') throw new Error('It lacks a parenthesis.');
      return request().requester.draw(args);
    };
    const { id, fingerprint } = await wait({}, { draw });
    const edited = (content: string): ApprovalDecision => ({
      decision: 'modified',
      arguments: { path: 'a', content },
    });
    expect(await queue.decide(id, fingerprint, edited('('))).toEqual({
      accepted: false,
      reason: 'invalid',
      message: 'It lacks a parenthesis.',
    });
    expect(ran).toEqual([]);
    expect(await queue.decide(id, fingerprint, edited('()'))).toMatchObject({ accepted: true });
  });
});

describe('failure of what was approved', () => {
  it.each<[string, Partial<Requester<string>>]>([
    ['could not run: the folder is gone', { perform: () => Promise.reject(new Error('the folder is gone')) }],
    ['The text is not complete.', { failure: () => 'The text is not complete.' }],
  ])('What was approved and failed is told as such to the person: %s', async (failure, own) => {
    const { id, fingerprint, settled } = await wait({}, own);
    await queue.decide(id, fingerprint, { decision: 'approved' });
    await settled;
    expect(queue.view().decided[0]?.failure).toContain(failure);
  });

  it('No failure is told of what was approved and went well', async () => {
    const { id, fingerprint, settled } = await wait({}, { failure: () => null });
    await queue.decide(id, fingerprint, { decision: 'approved' });
    await settled;
    expect(queue.view().decided[0]?.failure).toBe(null);
  });
});

describe('approval that could not be recorded', () => {
  it('An approved call does not run when the approval cannot be recorded, and the client hears why [K5]', async () => {
    queue.dispose();
    queue = new ApprovalQueue({ minutes: () => 5, unrecorded: () => 'The disk is full.' });
    queue.setApprover('the test');
    const { id, fingerprint, settled } = await wait();
    await queue.decide(id, fingerprint, { decision: 'approved' });
    expect(await settled).toEqual({
      denied: true,
      reason: 'It was approved but did not run. The disk is full.',
      by: 'the workbench',
    });
    expect(ran).toEqual([]);
  });

  it('An approved call does not run when only what comes after the approval can be recorded again [K5, case 31]', async () => {
    queue.dispose();
    let problem: string | null = 'The disk is full.';
    const records = new ApprovalRecords(null);
    const advance = records.advance.bind(records);
    records.advance = async (...args) => {
      problem = null; // from now on lines fit again, like a shorter line on a full disk
      await advance(...args);
    };
    queue = new ApprovalQueue({ minutes: () => 5, unrecorded: () => problem, records });
    queue.setApprover('the test');
    const { id, fingerprint, settled } = await wait();
    await queue.decide(id, fingerprint, { decision: 'approved' });
    expect(await settled).toMatchObject({ denied: true });
    expect(ran).toEqual([]);
  });
});

describe('approval', () => {
  it('An approval counts once [K3]', async () => {
    const { id, fingerprint } = await wait();
    const answers = await Promise.all([1, 2, 3].map(() => queue.decide(id, fingerprint, { decision: 'approved' })));
    expect([answers.filter(({ accepted }) => accepted).length, ran.length]).toEqual([1, 1]);
  });

  it('An approval does not count in the first 700 ms [K3, case 28]', async () => {
    const { id } = await queue.request(request());
    const { fingerprint } = queue.view().waiting[0]!;
    vi.advanceTimersByTime(INERT_MS - 1);
    expect(await queue.decide(id, fingerprint, { decision: 'approved' })).toMatchObject({
      accepted: false,
      reason: 'too-soon',
    });
    expect(ran).toEqual([]);
  });

  it('An approval is refused and the card is drawn again when the target changed [K3, case 23]', async () => {
    const { id, fingerprint } = await wait();
    target = 'state 2';
    expect(await queue.decide(id, fingerprint, { decision: 'approved' })).toMatchObject({
      accepted: false,
      reason: 'stale',
    });
    const [card] = queue.view().waiting;
    expect([ran.length, card!.state, card!.notice]).toEqual([
      0,
      'stale',
      'The file has changed. Check the updated change.',
    ]);
    vi.advanceTimersByTime(INERT_MS);
    expect(await queue.decide(id, fingerprint, { decision: 'approved' })).toMatchObject({ reason: 'stale' });
    expect(await queue.decide(id, card!.fingerprint, { decision: 'approved' })).toMatchObject({ accepted: true });
  });
});

describe('arguments that cannot be edited', () => {
  it('An argument that the card does not show as editable cannot be edited, so no unseen path is written [K3]', async () => {
    const { id, fingerprint } = await wait();
    const moved = { decision: 'modified', arguments: { path: 'elsewhere', content: 'b' } } as const;
    expect(await queue.decide(id, fingerprint, moved)).toEqual({
      accepted: false,
      reason: 'invalid',
      message: 'Only content can be edited: the card applies to this path only.',
    });
    expect(ran).toEqual([]);
  });
});

describe('card that changes meanwhile', () => {
  it('A card that changes while an approval is under way is not approved by it [K3]', async () => {
    const { id, fingerprint } = await wait();
    const leave = queue.attend(id);
    const decided = queue.decide(id, fingerprint, { decision: 'approved' });
    leave(true);
    expect(await decided).toMatchObject({ accepted: false, reason: 'stale' });
    expect(ran).toEqual([]);
  });
});

describe('request without a decision', () => {
  it('A request is denied when nobody can approve [decision 18]', async () => {
    queue.setApprover(null);
    const { settled } = await queue.request(request());
    expect(await settled).toMatchObject({
      denied: true,
      reason: expect.stringContaining('Approval is not possible here') as unknown,
    });
  });

  it('A request is denied when the approver goes away [decision 18]', async () => {
    const { settled } = await wait();
    queue.setApprover(null, 'The window was closed.');
    expect(await settled).toEqual({ denied: true, reason: 'The window was closed.', by: 'nobody' });
  });

  it('A request is denied when its deadline passes, whose clock stands still while the person edits [decision 18]', async () => {
    const { id, settled } = await wait();
    queue.setEditing(id, true);
    vi.advanceTimersByTime(3600_000);
    expect(queue.view().waiting[0]!.deadline).toBeNull();
    queue.setEditing(id, false);
    vi.advanceTimersByTime(5 * 60_000);
    expect(await settled).toEqual({
      denied: true,
      reason: 'The person did not decide within 5 minutes.',
      by: 'the deadline',
    });
  });
});

describe('click after the deadline', () => {
  it('A click after the deadline does not count, though nothing has noticed yet that the machine slept [K3, case 17]', async () => {
    const { id, fingerprint, settled } = await wait();
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 8 * 3600_000);
    expect(await queue.decide(id, fingerprint, { decision: 'approved' })).toMatchObject({
      accepted: false,
      reason: 'gone',
    });
    expect(await settled).toEqual({
      denied: true,
      reason: 'The person did not decide within 5 minutes.',
      by: 'the deadline',
    });
    expect(ran).toEqual([]);
    vi.restoreAllMocks();
  });
});

describe('request', () => {
  it('A request that is sent again joins its card [K4]', async () => {
    const first = await queue.request(request());
    const again = await queue.request(request());
    expect([again.id === first.id, queue.view().waiting.length]).toEqual([true, 1]);
  });

  it('A request sent again after it was decided while its client was away is answered with that, and not done twice [K4, cases 12 and 13]', async () => {
    const { id, fingerprint } = await wait();
    queue.attend(id)(true);
    vi.advanceTimersByTime(INERT_MS);
    await queue.decide(id, fingerprint, { decision: 'approved' });
    await queue.decide(id, queue.view().waiting[0]!.fingerprint, { decision: 'approved' });
    const again = await queue.request(request());
    expect([again.id, await again.settled, queue.view().waiting, ran.length]).toEqual([
      id,
      { denied: false, outcome: 'done', modified: false },
      [],
      1,
    ]);
    // The client stopped waiting once, and may have done so a second time just before it received the result.
    queue.told(id);
    expect((await queue.request(request())).id).toBe(id);
    queue.told(id);
    vi.advanceTimersByTime(60_000);
    expect((await queue.request(request())).id).not.toBe(id);
  });

  it('A request sent again once it was told to a client that never gave up is a new one [K4, case 13]', async () => {
    const { id, fingerprint } = await wait();
    await queue.decide(id, fingerprint, { decision: 'approved' });
    queue.told(id);
    expect((await queue.request(request())).id).not.toBe(id);
  });

  it('A request sent again while what was approved still runs waits for its end [K4, case 13]', async () => {
    const { promise: ends, resolve: end } = Promise.withResolvers<string>();
    const slow = request({}, { perform: () => ends });
    const { id } = await queue.request(slow);
    vi.advanceTimersByTime(INERT_MS);
    const decided = queue.decide(id, queue.view().waiting[0]!.fingerprint, { decision: 'approved' });
    await vi.waitFor(() => expect(queue.view().waiting).toEqual([]));
    const again = await queue.request(slow);
    end('slow');
    await decided;
    expect([again.id, await again.settled]).toEqual([id, { denied: false, outcome: 'slow', modified: false }]);
  });

  it.each<[string, () => Promise<void>]>([
    ['ten minutes have passed', async () => void vi.advanceTimersByTime(10 * 60_000)],
    [
      'something that it asked for later was done',
      async () => {
        vi.advanceTimersByTime(1);
        const later = await queue.request(request({ arguments: { path: 'a', content: 'later' } }));
        vi.advanceTimersByTime(INERT_MS);
        await queue.decide(later.id, queue.view().waiting[0]!.fingerprint, { decision: 'approved' });
      },
    ],
  ])('A request sent again after its client was away asks again when %s [K4]', async (_what, meanwhile) => {
    const { id, fingerprint } = await wait();
    await queue.decide(id, fingerprint, { decision: 'approved' });
    await meanwhile();
    expect((await queue.request(request())).id).not.toBe(id);
  });

  it('A request that nobody decided is asked again when it is sent again [K4]', async () => {
    const { id } = await wait();
    vi.advanceTimersByTime(5 * 60_000);
    expect((await queue.request(request())).id).not.toBe(id);
  });

  it('A request of another client, or with other arguments, has a card of its own [K4]', async () => {
    await queue.request(request());
    await queue.request(request({ actor: other }));
    await queue.request(request({ arguments: { path: 'a', content: 'c' } }));
    expect(queue.view().waiting.length).toBe(3);
  });

  it('A request beyond three of one client is refused [K1, K4]', async () => {
    for (const content of ['1', '2', '3']) await queue.request(request({ arguments: { path: 'a', content } }));
    await expect(queue.request(request({ arguments: { path: 'a', content: '4' } }))).rejects.toThrow(
      /3 of your requests are already waiting/,
    );
    await expect(queue.request(request({ actor: other }))).resolves.toBeDefined();
  });

  it('A request whose client gave up runs only after a click on the card as it then is [K4]', async () => {
    const { id, fingerprint } = await wait();
    queue.attend(id)(true);
    vi.advanceTimersByTime(INERT_MS);
    expect(await queue.decide(id, fingerprint, { decision: 'approved' })).toMatchObject({
      accepted: false,
      reason: 'stale',
    });
    const [card] = queue.view().waiting;
    expect([card!.abandoned, card!.notice]).toEqual([true, 'codex stopped waiting. Run anyway?']);
    expect(await queue.decide(id, card!.fingerprint, { decision: 'approved' })).toMatchObject({ accepted: true });
  });

  it('A request that a second call waits for is not given up by the first [K4]', async () => {
    const { id, fingerprint } = await wait();
    const leave = queue.attend(id);
    queue.attend(id);
    leave(true);
    expect(queue.view().waiting[0]).toMatchObject({ abandoned: false, fingerprint });
  });

  it('A request that was given up and is awaited again is no longer shown as given up [K4]', async () => {
    const { id, fingerprint } = await wait();
    queue.attend(id)(true);
    queue.attend(id);
    expect(queue.view().waiting[0]).toMatchObject({ abandoned: false, notice: null, fingerprint });
  });

  it('A request sent twice in the same moment has one card [K4]', async () => {
    const [one, two] = await Promise.all([queue.request(request()), queue.request(request())]);
    expect([one.id === two.id, queue.view().waiting.length]).toEqual([true, 1]);
  });

  it('Requests beyond three are refused when all are sent in the same moment [K1, K4]', async () => {
    const sent = ['1', '2', '3', '4', '5'].map((content) =>
      queue.request(request({ arguments: { path: 'a', content } })),
    );
    const refused = (await Promise.allSettled(sent)).filter(({ status }) => status === 'rejected');
    expect([refused.length, queue.view().waiting.length]).toEqual([2, 3]);
  });

  it('A request of a client whose token is void is denied [K4]', async () => {
    const { settled } = await wait();
    await queue.request(request({ actor: other }));
    queue.denyAllOf(agent.id, 'Its token is void.');
    expect(await settled).toEqual({ denied: true, reason: 'Its token is void.', by: 'the workbench' });
    expect(queue.view().waiting.map(({ actor }) => actor.id)).toEqual([other.id]);
  });

  it('The queue keeps the outcomes of the newest 50 requests of a client, and no more [K4]', async () => {
    queue.setApprover(null);
    const ids: string[] = [];
    for (let index = 0; index < 60; index += 1)
      ids.push((await queue.request(request({ arguments: { path: 'a', content: String(index) } }))).id);
    expect(ids.map((id) => queue.ticket(id, agent) !== null)).toEqual(ids.map((_, index) => index >= 10));
  });

  it('A request is known by its handle to its own client alone [K4]', async () => {
    const { id } = await queue.request(request());
    expect([queue.ticket(id, agent)?.id, queue.ticket(id, other), queue.ticket(id, PERSON)]).toEqual([id, null, null]);
  });

  it('A request in a race of approval and deadline is settled once, 200 times [K4]', async () => {
    for (let round = 0; round < 200; round += 1) {
      const { id, settled } = await queue.request(request({ arguments: { path: 'a', content: String(round) } }));
      const { fingerprint } = queue.view().waiting[0]!;
      vi.advanceTimersByTime(5 * 60_000 - 1);
      const decided = queue.decide(id, fingerprint, { decision: 'approved' });
      vi.advanceTimersByTime(1);
      const { accepted } = await decided;
      expect({ ran: ran.length, denied: (await settled).denied }).toEqual({ ran: accepted ? 1 : 0, denied: !accepted });
      ran = [];
    }
  });
});
