import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { PERSON } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import { MOST_WAITING, RunQueue, type TurnRequest } from './run-queue.ts';

const agent: Actor = { id: 'client:a', kind: 'client', name: 'a' };
const other: Actor = { id: 'client:b', kind: 'client', name: 'b' };

function request(evaluation: string, actor: Actor = agent, urgent = false): TurnRequest {
  return { evaluation, actor, summary: evaluation, urgent };
}

/** Requests turns in this order. Returns the order in which the turns were granted. */
async function order(requests: TurnRequest[]): Promise<string[]> {
  const turns = new RunQueue(() => {});
  const came: string[] = [];
  await Promise.all(
    requests.map(async (each) => {
      const release = await turns.take(each);
      came.push(each.evaluation);
      await Promise.resolve();
      release();
    }),
  );
  return came;
}

describe('run queue', () => {
  it('The run queue serves the first come first', async () => {
    expect(await order(['a', 'b', 'c'].map((name) => request(name)))).toEqual(['a', 'b', 'c']);
  });

  it('The run queue lets a person go before agents, and housekeeping before both', async () => {
    const requests = [
      request('a'),
      request('b'),
      request('p', PERSON),
      request('r', PERSON, true),
      request('q', PERSON),
    ];
    expect(await order(requests)).toEqual(['a', 'r', 'p', 'q', 'b']);
  });

  it('The run queue goes round among clients, however many calls one has sent', async () => {
    const third: Actor = { id: 'client:c', kind: 'client', name: 'c' };
    const flood = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => request(name));
    const came = await order([...flood, request('b1', other), request('b2', other), request('c1', third)]);
    expect(came).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', 'a5']);
  });

  it('The run queue refuses what one client sends beyond a bound, and nobody else', async () => {
    const turns = new RunQueue(() => {});
    const release = await turns.take(request('a'));
    const waiting = Array.from({ length: MOST_WAITING }, (_, index) => turns.take(request(`a${index}`)));
    await expect(turns.take(request('one more'))).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/^200 of your evaluations are already waiting for this image/),
    });
    void turns.take(request('p', PERSON));
    expect(turns.placeOf('p')).toBe(1);
    void turns.take(request('b', other));
    expect(turns.placeOf('b')).toBe(2);
    expect(turns.waiting.length).toBe(waiting.length + 2);
    release();
  });

  it('The run queue lets a person wait as often as they like', async () => {
    const turns = new RunQueue(() => {});
    await turns.take(request('p', PERSON));
    for (let index = 0; index < MOST_WAITING + 1; index += 1) void turns.take(request(`p${index}`, PERSON));
    expect(turns.waiting.length).toBe(MOST_WAITING + 1);
  });

  it('The run queue lets a person go before an agent that came earlier and has had no turn yet', async () => {
    expect(await order([request('a'), request('b', other), request('p', PERSON)])).toEqual(['a', 'p', 'b']);
  });

  it('The run queue lets housekeeping go before an agent that has had no turn yet, for whomever it is', async () => {
    const requests = [request('a'), request('r', agent, true), request('b', other), request('p', PERSON)];
    expect(await order(requests)).toEqual(['a', 'r', 'p', 'b']);
  });

  it("The run queue lets housekeeping for the person go before an agent's, however many turns the person had", async () => {
    const turns = new RunQueue(() => {});
    (await turns.take(request('b', other)))();
    await turns.take(request('p', PERSON));
    void turns.take(request('r', other, true));
    void turns.take(request('q', PERSON, true));
    expect(turns.waiting.map(({ evaluation }) => evaluation)).toEqual(['q', 'r']);
  });

  it('The run queue lets housekeeping for an agent go before new agents, however many turns it had', async () => {
    const turns = new RunQueue(() => {});
    await turns.take(request('a'));
    void turns.take(request('r', agent, true));
    void turns.take(request('b', other));
    expect(turns.waiting.map(({ evaluation }) => evaluation)).toEqual(['r', 'b']);
  });

  it('The run queue shows who waits in the order in which their turns will come', async () => {
    const turns = new RunQueue(() => {});
    (await turns.take(request('a1')))();
    (await turns.take(request('b1', other)))();
    const release = await turns.take(request('p', PERSON));
    const came: string[] = [];
    const names = ['a2', 'a3', 'b2', 'b3'];
    const all = names.map(async (name) => {
      const done = await turns.take(request(name, name.startsWith('a') ? agent : other));
      came.push(name);
      done();
    });
    const shown = turns.waiting.map(({ evaluation }) => evaluation);
    expect(shown).toEqual(['a2', 'b2', 'a3', 'b3']);
    release();
    await Promise.all(all);
    expect(came).toEqual(shown);
  });

  it('The run queue shows the place of who waits', async () => {
    const turns = new RunQueue(() => {});
    await turns.take(request('a'));
    void turns.take(request('b'));
    void turns.take(request('p', PERSON));
    expect(['a', 'p', 'b', 'x'].map((name) => turns.placeOf(name))).toEqual([0, 1, 2, 0]);
  });

  it('The run queue never runs two evaluations at once when a release and a newcomer meet', async () => {
    const turns = new RunQueue(() => {});
    const release = await turns.take(request('a'));
    const second = turns.take(request('b'));
    release();
    let thirdCame = false;
    const third = turns.take(request('c')).then((done) => {
      thirdCame = true;
      return done;
    });
    const releaseSecond = await second;
    await Promise.resolve();
    expect({ thirdCame, running: turns.running?.evaluation }).toEqual({ thirdCame: false, running: 'b' });
    releaseSecond();
    (await third)();
    expect(turns.running).toBeNull();
  });

  it('The run queue goes on while an evaluation is suspended, and takes it back', async () => {
    const turns = new RunQueue(() => {});
    const release = await turns.take(request('asks'));
    turns.suspend('asks', { kind: 'input' });
    const other = await turns.take(request('other'));
    expect({ running: turns.running?.evaluation, parked: turns.suspended.map((turn) => turn.evaluation) }).toEqual({
      running: 'other',
      parked: ['asks'],
    });
    other();
    turns.resume('asks', { kind: 'input' });
    expect(turns.running?.evaluation).toBe('asks');
    release();
    expect([turns.running, turns.suspended]).toEqual([null, []]);
  });

  it('The run queue forgets a suspended evaluation that never comes back', async () => {
    const turns = new RunQueue(() => {});
    const release = await turns.take(request('asks'));
    turns.suspend('asks', { kind: 'input' });
    release();
    expect(turns.suspended).toEqual([]);
  });

  it('A turn is given up when the caller cancels while waiting', async () => {
    const turns = new RunQueue(() => {});
    await turns.take(request('a'));
    const controller = new AbortController();
    const waiting = turns.take(request('b'), controller.signal);
    void turns.take(request('c'));
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled', message: 'Cancelled before it was evaluated.' });
    expect(turns.waiting.map(({ evaluation }) => evaluation)).toEqual(['c']);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('A turn is not given to a caller that has cancelled before it asked', async () => {
    const turns = new RunQueue(() => {});
    await expect(turns.take(request('a'), AbortSignal.abort())).rejects.toMatchObject({ code: 'cancelled' });
    expect(turns.running).toBeNull();
  });

  it('A turn that has come is not given up when its caller cancels later, and leaves no listener behind', async () => {
    let changes = 0;
    const turns = new RunQueue(() => (changes += 1));
    const release = await turns.take(request('a'));
    const controller = new AbortController();
    const waiting = turns.take(request('b'), controller.signal);
    expect(getEventListeners(controller.signal, 'abort').length).toBe(1);
    release();
    await waiting;
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    const before = changes;
    controller.abort();
    expect([turns.running?.evaluation, changes]).toEqual(['b', before]);
  });

  it('A turn is given back once, so that a second release does not end the turn of another', async () => {
    const turns = new RunQueue(() => {});
    const release = await turns.take(request('a'));
    release();
    await turns.take(request('b'));
    release();
    expect(turns.running?.evaluation).toBe('b');
  });

  it('The run queue gives the turn of what is suspended to who waits', async () => {
    const turns = new RunQueue(() => {});
    await turns.take(request('asks'));
    const next = turns.take(request('b'));
    turns.suspend('asks', { kind: 'input' });
    await next;
    expect(turns.running?.evaluation).toBe('b');
  });

  it('The run queue neither suspends nor resumes what it does not know', async () => {
    const turns = new RunQueue(() => {});
    await turns.take(request('a'));
    turns.suspend('x', { kind: 'input' });
    expect(turns.resume('x', { kind: 'input' })).toBe(false);
    expect([turns.running?.evaluation, turns.suspended, turns.reasonsOf('x')]).toEqual(['a', [], []]);
  });

  it('The run queue keeps an evaluation suspended while one of two effects has not come', async () => {
    const turns = new RunQueue(() => {});
    await turns.take(request('a'));
    turns.suspend('a', { kind: 'effect', id: 'e1' });
    turns.suspend('a', { kind: 'effect', id: 'e2' });
    expect([turns.resume('a', { kind: 'effect', id: 'e2' }), turns.resume('a', { kind: 'effect', id: 'e1' })]).toEqual([
      false,
      true,
    ]);
  });

  it('The run queue tells each change of what runs, waits and is suspended once', async () => {
    let changes = 0;
    const turns = new RunQueue(() => (changes += 1));
    const told = (): number => {
      const since = changes;
      changes = 0;
      return since;
    };
    const release = await turns.take(request('a'));
    expect(told()).toBe(1); // a runs
    const controller = new AbortController();
    const gone = turns.take(request('b'), controller.signal);
    expect(told()).toBe(1); // b waits
    controller.abort();
    await expect(gone).rejects.toMatchObject({ code: 'cancelled' });
    expect(told()).toBe(1); // b no longer waits
    turns.suspend('a', { kind: 'input' });
    expect(told()).toBe(1); // a is suspended, so no evaluation is running
    turns.resume('a', { kind: 'input' });
    expect(told()).toBe(1); // a is running again
    const waiting = turns.take(request('c'));
    told();
    release();
    await waiting;
    expect(told()).toBe(1); // c runs
    turns.suspend('c', { kind: 'input' });
    told();
    (await waiting)();
    expect([told(), turns.suspended]).toEqual([1, []]); // c no longer waits
  });

  it('The run queue keeps an evaluation suspended until all that it waits for has come', async () => {
    const turns = new RunQueue(() => {});
    await turns.take(request('a'));
    const [debug, effect] = [
      { kind: 'debugger', id: 'd1' },
      { kind: 'effect', id: 'e1' },
    ] as const;
    turns.suspend('a', debug);
    turns.suspend('a', effect);
    expect(turns.reasonsOf('a')).toEqual([debug, effect]);
    expect(turns.resume('a', { kind: 'input' })).toBe(false);
    expect(turns.resume('a', effect)).toBe(false);
    expect(turns.running).toBeNull();
    expect(turns.resume('a', debug)).toBe(true);
    expect(turns.running?.evaluation).toBe('a');
    expect(turns.reasonsOf('a')).toEqual([]);
  });

  it('The run queue tells what goes on beside another evaluation as one that waits for nothing', async () => {
    const turns = new RunQueue(() => {});
    const release = await turns.take(request('a'));
    turns.suspend('a', { kind: 'input' });
    await turns.take(request('b'));
    expect(turns.resume('a', { kind: 'input' })).toBe(true);
    expect({ running: turns.running?.evaluation, of: turns.reasonsOf('a') }).toEqual({ running: 'b', of: [] });
    expect(turns.suspended.map(({ evaluation }) => evaluation)).toEqual(['a']);
    release();
    expect(turns.suspended).toEqual([]);
  });

  /** Returns the person's request for a turn that may overtake an agent's evaluation. */
  const overtaking = (evaluation: string, systems = false): TurnRequest => ({
    ...request(evaluation, PERSON),
    overtakes: true,
    systems,
  });

  const names = (turns: RunQueue) => [turns.running?.evaluation ?? null, turns.overtaken?.evaluation ?? null];

  it('The run queue lets the person run beside one evaluation of an agent, one after the other [issue 35.2]', async () => {
    const turns = new RunQueue(() => {});
    const endA = await turns.take(request('a'));
    const endP = await turns.take(overtaking('p'));
    expect(names(turns)).toEqual(['p', 'a']);
    const [b, q] = [turns.take(request('b', other)), turns.take(overtaking('q'))];
    expect(turns.waiting.map(({ evaluation }) => evaluation)).toEqual(['q', 'b']);
    endP();
    const endQ = await q;
    expect(names(turns)).toEqual(['q', 'a']);
    endA();
    expect(names(turns)).toEqual(['q', null]);
    endQ();
    await b;
    expect(names(turns)).toEqual(['b', null]);
  });

  it('The run queue goes on with the agent’s where the person’s ends or is suspended, and the other way round [issue 35.2]', async () => {
    const turns = new RunQueue(() => {});
    await turns.take(request('a'));
    await turns.take(overtaking('p'));
    turns.suspend('p', { kind: 'input' });
    expect(names(turns)).toEqual(['a', null]);
    expect(turns.resume('p', { kind: 'input' })).toBe(true);
    expect(names(turns)).toEqual(['p', 'a']);
    turns.suspend('a', { kind: 'effect', id: '1' });
    expect(names(turns)).toEqual(['p', null]);
    expect(turns.resume('a', { kind: 'effect', id: '1' })).toBe(true);
    expect(turns.suspended.map(({ evaluation }) => evaluation)).toEqual(['a']);
  });

  it('The run queue lets nobody overtake the person, nor two that work on systems run at once [issue 35.2]', async () => {
    const turns = new RunQueue(() => {});
    const end = await turns.take({ ...request('load'), systems: true });
    const described = turns.take(overtaking('describe', true));
    const endP = await turns.take(overtaking('p'));
    expect(names(turns)).toEqual(['p', 'load']);
    endP();
    expect(names(turns)).toEqual(['load', null]);
    end();
    await described;
    const again = turns.take(overtaking('q'));
    expect(names(turns)).toEqual(['describe', null]);
    expect(turns.waiting.map(({ evaluation }) => evaluation)).toEqual(['q']);
    void again;
  });
});
