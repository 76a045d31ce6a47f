import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import { openTestWorkbench } from '#core/workbench.fixture.ts';
import { INERT_MS } from '#contract/decisions/decision.ts';
import { ApprovalQueue } from './queue.ts';
import { ApprovalRecords } from '../results/records.ts';
import type { ApprovalRequest } from '../request.ts';

const ROUNDS = 200;
const agent: Actor = { id: 'client:codex', kind: 'client', name: 'codex' };

/** Returns a generator of random numbers that are the same in each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

afterEach(() => vi.useRealTimers());

describe('races at one card', () => {
  function queueOf(): {
    queue: ApprovalQueue<string>;
    ran: string[];
    request: (key: string) => ApprovalRequest<string>;
  } {
    vi.useFakeTimers();
    const queue = new ApprovalQueue<string>({ minutes: () => 5 });
    queue.setApprover('the test');
    const ran: string[] = [];
    const request = (key: string): ApprovalRequest<string> => ({
      actor: agent,
      call: key,
      tool: 'write-file',
      level: 'dangerous',
      arguments: { key },
      rule: 'it is dangerous',
      requester: {
        draw: async () => ({
          headline: 'Write',
          arguments: [],
          editable: null,
          change: null,
          reversible: 'no',
          claim: null,
          targetState: '',
        }),
        check: () => null,
        perform: async () => {
          ran.push(key);
          return key;
        },
      },
    });
    return { queue, ran, request };
  }

  it(`Approving and cancelling at once has exactly one outcome, which is recorded once, ${ROUNDS} times [K3, K4, case 14]`, async () => {
    const { queue, ran, request } = queueOf();
    const recorded: string[] = [];
    queue.events.on('decided', ({ decision }) => recorded.push(`${decision.id} ${decision.decision}`));
    const pick = random(11);
    for (let round = 0; round < ROUNDS; round += 1) {
      const key = `round ${round}`;
      const { id, settled } = await queue.request(request(key));
      vi.advanceTimersByTime(INERT_MS);
      const { fingerprint } = queue.view().waiting[0]!;
      const approve = () => queue.decide(id, fingerprint, { decision: 'approved' });
      const cancel = [
        async () => queue.withdraw(id, 'cancelled'),
        async () => queue.denyAllOf(agent.id, 'paused'),
        () => queue.decide(id, fingerprint, { decision: 'denied', reason: 'no' }),
      ][pick(3)]!;
      const acts = pick(2) === 0 ? [approve, cancel, approve] : [cancel, approve, cancel];
      await Promise.all(
        acts.map(async (act) => {
          for (let step = pick(4); step > 0; step -= 1) await Promise.resolve();
          return act();
        }),
      );
      const { denied } = await settled;
      expect([ran.filter((each) => each === key).length, queue.view().waiting.length]).toEqual([denied ? 0 : 1, 0]);
      expect(
        queue
          .view()
          .decided.filter((each) => each.id === id)
          .map(({ decision }) => decision),
      ).toEqual([denied ? 'denied' : 'approved']);
      expect(recorded.filter((each) => each.startsWith(id))).toEqual([`${id} ${denied ? 'denied' : 'approved'}`]);
    }
    queue.dispose();
  });

  it(`Approving while the client gives up runs the request, or leaves a card that asks anew, ${ROUNDS} times [K3, K4, case 14]`, async () => {
    const { queue, ran, request } = queueOf();
    const pick = random(17);
    const seen = new Set<string>();
    let log: string[] = [];
    queue.events.on('decided', () => log.push('decided'));
    for (let round = 0; round < ROUNDS; round += 1) {
      const key = `round ${round}`;
      const { id, settled } = await queue.request(request(key));
      const leave = queue.attend(id);
      vi.advanceTimersByTime(INERT_MS);
      const { fingerprint } = queue.view().waiting[0]!;
      const approve = () => queue.decide(id, fingerprint, { decision: 'approved' });
      log = [];
      const giveUp = async (): Promise<void> => {
        log.push('left');
        leave(true);
      };
      const acts = pick(2) === 0 ? [approve, giveUp] : [giveUp, approve];
      const [one, other] = await Promise.all(
        acts.map(async (act) => {
          for (let step = pick(6); step > 0; step -= 1) await Promise.resolve();
          return act();
        }),
      );
      const { reason } = (one ?? other)!;
      const runs = ran.filter((each) => each === key).length;
      const [card] = queue.view().waiting;
      expect([reason, runs, card?.abandoned, log]).toBeOneOf([
        ['accepted', 1, undefined, ['decided', 'left']],
        ['stale', 0, true, ['left']],
      ]);
      seen.add(reason);
      if (card) queue.withdraw(id, 'The round is over.');
      expect((await settled).denied).toBe(runs === 0);
    }
    expect([...seen].toSorted()).toEqual(['accepted', 'stale']);
    queue.dispose();
  });

  it(`The same call sent again while it waits has one card and runs once, ${ROUNDS} times [K3, K4, case 13]`, async () => {
    const { queue, ran, request } = queueOf();
    for (let round = 0; round < ROUNDS; round += 1) {
      const key = `round ${round}`;
      const tickets = await Promise.all([1, 2, 3].map(() => queue.request(request(key))));
      expect([new Set(tickets.map(({ id }) => id)).size, queue.view().waiting.length]).toEqual([1, 1]);
      vi.advanceTimersByTime(INERT_MS);
      const { id, fingerprint } = queue.view().waiting[0]!;
      const answers = await Promise.all([1, 2].map(() => queue.decide(id, fingerprint, { decision: 'approved' })));
      expect(answers.filter(({ accepted }) => accepted).length).toBe(1);
      expect(await Promise.all(tickets.map(({ settled }) => settled))).toEqual(
        tickets.map(() => ({ denied: false, outcome: key, modified: false })),
      );
      expect(ran.filter((each) => each === key).length).toBe(1);
    }
    queue.dispose();
  });
});

describe('program that is killed between approval and run', () => {
  it(`A program killed between the approval and the run knows what it does not know: nothing done is offered as not begun, ${ROUNDS} times [K4, K5, cases 15 and 16]`, async () => {
    const pick = random(23);
    const whole = await killed(
      0,
      Array.from({ length: AT_ONCE }, () => 0),
    );
    expect(whole.states).toEqual(whole.states.map(() => 'none, written'));
    const seen = new Map<string, number>();
    for (let batch = 0; batch < ROUNDS; batch += AT_ONCE) {
      // The start times are random within the last third of the time that all requests take together, because a single request takes only a
      // part of that time.
      const begins = Array.from({ length: AT_ONCE }, () => whole.took - pick(Math.ceil(whole.took / 3)));
      const { states } = await killed(whole.took, begins);
      for (const state of states) seen.set(state, (seen.get(state) ?? 0) + 1);
    }
    expect([...seen.keys()].filter((state) => ['waiting, written', 'approved, written'].includes(state))).toEqual([]);
    expect([...seen.values()].reduce((sum, count) => sum + count)).toBe(ROUNDS);
  }, 300_000);

  /**
   * The number of requests of one program, each with its own folder and queue. Several requests share a program, because starting Node
   * takes most of the time.
   */
  const AT_ONCE = 8;

  /**
   * Starts a program that makes one request at each time in `begins` (milliseconds after the start). Kills it after `after` milliseconds
   * or, if `after` is 0, when all requests are done.
   * @returns a description of the state of each record and file, and how many milliseconds the program ran.
   */
  async function killed(after: number, begins: readonly number[]): Promise<{ states: string[]; took: number }> {
    const folders = await Promise.all(begins.map(() => mkdtemp(path.join(tmpdir(), 'crash-'))));
    try {
      const words = folders.flatMap((folder, index) => [folder, String(begins[index])]);
      const child = spawn(process.execPath, [path.join(import.meta.dirname, 'crash.fixture.ts'), ...words], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      const { promise: begun, resolve: hasBegun, reject: fails } = Promise.withResolvers<void>();
      child.once('exit', () => fails(new Error('The program ended before it began.')));
      const { promise: ended, resolve: hasEnded } = Promise.withResolvers<void>();
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        hasBegun();
        if (said.split('ended').length > begins.length) hasEnded();
      });
      await begun;
      const started = performance.now();
      if (after === 0) void ended.then(() => child.kill('SIGKILL'));
      else setTimeout(() => child.kill('SIGKILL'), after);
      await once(child, 'exit');
      const took = Math.ceil(performance.now() - started);
      return { states: await Promise.all(folders.map(stateOf)), took };
    } finally {
      for (const folder of folders) await rm(folder, { recursive: true });
    }
  }

  async function stateOf(folder: string): Promise<string> {
    const records = new ApprovalRecords(path.join(folder, 'approvals.json'));
    expect(records.kept.problem).toBeNull();
    const [record] = await records.take();
    const written = await stat(path.join(folder, 'written')).then(
      () => 'written',
      () => 'not written',
    );
    return `${record?.state ?? 'none'}, ${written}`;
  }
});

describe('two clients and a person at one definition', () => {
  const WHO: Readonly<Record<string, number>> = { 'client:one': 0, 'client:two': 1, [PERSON.id]: 2 };

  it(`Changes of two clients and the person have a total order, also in the history, and the person's words are not lost, ${ROUNDS} times [P1, P3, case 38]`, async () => {
    const bench = await openTestWorkbench({ shared: true });
    try {
      await bench.workbench.trustProject();
      const clients = await Promise.all(['one', 'two'].map((name) => bench.connect(name)));
      const code = (who: number, round: number): string =>
        `(progn (push ${who} *order*) (defun raced () '(${who} ${round})))`;
      const person = (round: number) =>
        bench.workbench.session.evaluate({
          evaluation: randomUUID(),
          actor: PERSON,
          context: 'repl',
          code: code(2, round),
          package: null,
          interactive: true,
          source: null,
        });
      for (let round = 0; round < ROUNDS; round += 1) {
        await clients[0]!.evaluate('(defparameter *order* ())');
        await Promise.all([
          ...clients.map((client, index) => client.evaluate(code(index, round))),
          person(round).then(({ report }) => expect(report.status).toBe('ok')),
        ]);
        const { events } = await bench.workbench.session.lookUp('definition-history', {
          package: 'COMMON-LISP-USER',
          name: 'RACED',
          evaluation: null,
          limit: 3,
        });
        const order = events.map(({ actor }) => WHO[actor!]);
        expect(await clients[0]!.evaluate('*order*')).toBe(`=> (${order.join(' ')})`);
        expect(new Set(order)).toEqual(new Set([0, 1, 2]));
        expect(await clients[1]!.evaluate('(raced)')).toBe(`=> (${order[0]} ${round})`);
        expect(events.find(({ actor }) => actor === PERSON.id)!.text).toContain(`'(2 ${round})`);
      }
    } finally {
      await bench.close();
    }
  }, 240_000);
});
