/** Effects of agents' code: the session reports them and passes on the decisions. */
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Effect } from '#contract/decisions/effect.ts';
import type { SessionOptions } from './supervisor/recovery.ts';
import { AGENT, openTestSession, type TestSession } from './session.fixture.ts';

let test: TestSession;
let settled: Effect<'settled'>[];

afterEach(() => test.close());

async function open(options: Partial<SessionOptions>): Promise<void> {
  test = await openTestSession(options);
  settled = [];
  test.session.events.on('effect-settled', (each) => settled.push(each));
}

const requested = (): Promise<Effect<'waiting'>> =>
  new Promise((resolve) => {
    const stop = test.session.events.on('effect-requested', (effect) => {
      stop();
      resolve(effect);
    });
  });

const PROCEED = { decision: 'proceed', path: null, reason: null } as const;
const writing = (name: string): string =>
  `(with-open-file (s "${name}" :direction :output :if-exists :append :if-does-not-exist :create) (write-string "x" s))`;

describe('session that asks', () => {
  it('A session that asks waits for the decision while the person goes on [G2]', async () => {
    await open({ effects: 'ask' });
    const asked = requested();
    const evaluation = test.evaluate(writing('new'), { actor: AGENT });
    const effect = await asked;
    expect(effect.target).toBe(path.join(await realpath(test.directory), 'new'));
    expect(test.session.effects).toEqual([effect]);
    expect(test.session.view()).toMatchObject({
      state: 'waiting-for-approval',
      running: null,
      suspended: [{ evaluation: effect.evaluation }],
    });
    expect(await test.say('(+ 1 1)')).toBe('2');
    expect(existsSync(effect.path!)).toBe(false);
    await test.session.decideEffect(effect.effect, PROCEED);
    expect((await evaluation).report).toMatchObject({
      status: 'ok',
      effects: [{ kind: 'write', operator: 'OPEN', target: effect.target, outcome: 'proceeded' }],
      effectsMore: 0,
    });
    expect(settled).toEqual([{ ...effect, state: 'settled', outcome: 'proceeded', decision: PROCEED }]);
    expect([test.session.effects, test.session.view().state]).toEqual([[], 'idle']);
    expect(existsSync(effect.path!)).toBe(true);
  });

  it('A session that asks does not ask the person for their own effects [G1]', async () => {
    await open({ effects: 'ask' });
    expect((await test.evaluate(writing('new'))).report).toMatchObject({ status: 'ok', effects: [] });
    expect(settled).toEqual([]);
  });

  it('A session that asks takes one decision for each effect', async () => {
    await open({ effects: 'ask' });
    const asked = requested();
    const evaluation = test.evaluate(writing('new'), { actor: AGENT });
    const { effect } = await asked;
    const both = [test.session.decideEffect(effect, PROCEED), test.session.decideEffect(effect, PROCEED)];
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    await evaluation;
    await expect(test.session.decideEffect(effect, PROCEED)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('A session is interrupted while it waits for a decision', async () => {
    await open({ effects: 'ask' });
    const asked = requested();
    const evaluation = test.evaluate(writing('new'), { actor: AGENT });
    const effect = await asked;
    expect(await test.session.interrupt(effect.evaluation)).toBe(true);
    expect((await evaluation).report.status).toBe('interrupted');
    expect(settled).toEqual([{ ...effect, state: 'settled', outcome: 'interrupted', decision: null }]);
    expect(test.session.effects).toEqual([]);
  });

  it('A report lists what had happened when the image ends while it waits for a decision [G5]', async () => {
    await open({ effects: 'ask' });
    const asked = requested();
    const evaluation = test.evaluate(`(progn ${writing('one')} ${writing('two')})`, { actor: AGENT });
    const first = await asked;
    const again = requested();
    await test.session.decideEffect(first.effect, PROCEED);
    const second = await again;
    expect(second.before).toEqual([{ kind: 'write', operator: 'OPEN', target: first.target, outcome: 'proceeded' }]);
    process.kill(test.session.view().pid!, 'SIGKILL');
    expect((await evaluation).report).toMatchObject({
      status: 'lost',
      effects: [
        { operator: 'OPEN', target: first.target, outcome: 'proceeded' },
        { operator: 'OPEN', target: second.target, outcome: 'lost' },
      ],
    });
    expect(settled.map(({ outcome }) => outcome)).toEqual(['proceeded', 'lost']);
    expect(test.session.effects).toEqual([]);
    await expect(test.session.decideEffect(second.effect, PROCEED)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('A session makes no checkpoint while it waits for a decision, and says why', async () => {
    await open({ effects: 'ask', checkpoints: true });
    const asked = requested();
    const evaluation = test.evaluate(writing('new'), { actor: AGENT });
    const { effect } = await asked;
    await expect(test.session.checkpoint('mine', AGENT)).rejects.toMatchObject({
      code: 'refused',
      message: 'No checkpoint: 1 evaluation is waiting for input, a debugger or an approval.',
    });
    await test.session.decideEffect(effect, PROCEED);
    await evaluation;
    expect((await test.session.checkpoint('mine', AGENT)).label).toBe('mine');
  });

  it('A session does not count the wait for a decision into the time limit', async () => {
    await open({ effects: 'ask', limits: { seconds: 1 } });
    const asked = requested();
    const evaluation = test.evaluate(`(progn ${writing('new')} (values 1 2))`, { actor: AGENT });
    const { effect } = await asked;
    // Another evaluation in the same image, which takes longer than the time limit.
    await test.say('(sleep 1.5)');
    await test.session.decideEffect(effect, PROCEED);
    expect((await evaluation).report).toMatchObject({ status: 'ok' });
  });

  it('A session tells when several agents wait, and when one waits for something else', async () => {
    await open({ effects: 'ask' });
    const asked = requested();
    const one = test.evaluate(writing('one'), { actor: AGENT });
    const first = await asked;
    const again = requested();
    const two = test.evaluate(writing('two'), { actor: AGENT, context: 'other' });
    const second = await again;
    expect(test.session.view()).toMatchObject({ state: 'waiting-for-approval', suspended: [{}, {}] });
    await test.session.decideEffect(second.effect, { decision: 'abort', path: null, reason: 'Enough' });
    expect((await two).report.condition).toMatchObject({
      type: 'ABORT',
      message: `Aborted at OPEN ${second.target}. Enough. Do not try another way.`,
    });
    await test.session.decideEffect(first.effect, PROCEED);
    await one;
    expect(settled.map(({ outcome }) => outcome)).toEqual(['aborted', 'proceeded']);
  });
});

describe('session without anybody to ask', () => {
  it('A session without anybody to ask allows effects by itself unless told otherwise, and tells of them', async () => {
    await open({});
    expect((await test.evaluate(writing('new'), { actor: AGENT })).report).toMatchObject({
      status: 'ok',
      effects: [{ operator: 'OPEN', outcome: 'proceeded' }],
    });
    expect(settled).toMatchObject([{ operator: 'OPEN', outcome: 'proceeded', decision: PROCEED }]);
  });

  it('A session that was started to deny effects denies them, but not the cache of compiled files [G4]', async () => {
    await open({ effects: 'deny' });
    const recorded: string[] = [];
    test.session.events.on('effect-recorded', ({ kind, outcome }) => recorded.push(`${kind} ${outcome}`));
    const { report } = await test.evaluate(writing('new'), { actor: AGENT });
    const target = path.join(await realpath(test.directory), 'new');
    expect(report.condition?.message).toBe(
      `Denied: OPEN ${target}. Effects are denied here, because this process was started without a way to request approval. Do not try another way.`,
    );
    const own = `(progn (with-open-file (s (merge-pathnames "x" (lisp-workbench:temporary-directory)) :direction :output)) 1)`;
    expect(await test.say(own, { actor: AGENT })).toBe('1');
    expect(recorded).toEqual(['write recorded']);
  });
});

describe('temporary folder of an image', () => {
  it('The temporary folder of an image takes what code writes without asking, and is gone when the image is [G4]', async () => {
    await open({ effects: 'deny' });
    const code = `(let ((folder (lisp-workbench:temporary-directory))) ${writing('scratch').replace('"scratch"', '(merge-pathnames "scratch" folder)')} (sb-ext:native-namestring folder))`;
    const { report } = await test.evaluate(code, { actor: AGENT });
    const folder = JSON.parse(report.values[0]!.text) as string;
    expect(existsSync(path.join(folder, 'scratch'))).toBe(true);
    await test.session.restart();
    await expect.poll(() => existsSync(folder)).toBe(false);
  });
});

describe('what an image says of effects', () => {
  /** Returns code that writes a frame onto the wire. Only code that the guard does not check can do this. */
  const saying = (event: unknown): string => {
    const payload = JSON.stringify(event);
    const frame = `${Buffer.byteLength(payload)}\n${payload}`;
    return `(let ((s (sb-sys:make-fd-stream 4 :output t :external-format :utf-8 :auto-close nil))) (write-string "${frame.replaceAll(/["\\]/g, String.raw`\$&`)}" s) (finish-output s) 1)`;
  };

  it('What an image says of an effect is taken once, and only of evaluations that the session started, for their actor', async () => {
    await open({ effects: 'ask' });
    const told: string[] = [];
    test.session.events.on('effect-requested', ({ target }) => told.push(`requested ${target}`));
    test.session.events.on('effect-recorded', ({ target }) => told.push(`recorded ${target}`));
    test.session.events.on('guard-tampered', ({ actor }) => told.push(`tampered ${actor}`));
    const asked = requested();
    const evaluation = test.evaluate(writing('new'), { actor: AGENT });
    const effect = await asked;
    const forged = [
      { event: 'effect-requested', effect: { ...effect, target: '/allowed' } },
      { event: 'effect-requested', effect: { ...effect, effect: 'e1', evaluation: 'unknown', target: '/unknown' } },
      { event: 'effect-requested', effect: { ...effect, effect: 'e2', actor: 'client:other', target: '/other' } },
      { event: 'effect-requested', effect: { ...effect, effect: 'e3', evaluation: null, target: '/nobody' } },
      {
        event: 'effect-recorded',
        evaluation: effect.evaluation,
        actor: 'client:other',
        kind: 'write',
        operator: 'OPEN',
        target: '/recorded',
        path: null,
        system: null,
        outcome: 'recorded',
        more: 0,
      },
      { event: 'guard-tampered', evaluation: 'unknown', actor: AGENT.id, operators: ['OPEN'] },
      { event: 'guard-tampered', evaluation: effect.evaluation, actor: 'client:other', operators: ['OPEN'] },
      // The evaluation is still waiting, but this event may be reported only when the evaluation ends.
      { event: 'guard-tampered', evaluation: effect.evaluation, actor: AGENT.id, operators: ['OPEN'] },
    ];
    for (const event of forged) expect(await test.say(saying(event))).toBe('1');
    expect(await test.say('(+ 1 1)')).toBe('2');
    expect(told).toEqual([`requested ${effect.target}`]);
    expect(test.session.effects).toEqual([effect]);
    await test.session.decideEffect(effect.effect, PROCEED);
    expect((await evaluation).report.status).toBe('ok');
  });
});
