import { describe, expect, it } from 'vitest';
import { PERSON, type Actor } from '#contract/session.ts';
import { MOST_WAITING, RunQueue, type TurnRequest } from './run-queue.ts';

const agent: Actor = { id: 'client:a', kind: 'client', name: 'a' };

function request(evaluation: string, actor: Actor = agent, urgent = false): TurnRequest {
  return { evaluation, actor, summary: evaluation, urgent };
}

/** Takes turns in the given order and gives back the order in which they came. */
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
    const other: Actor = { id: 'client:b', kind: 'client', name: 'b' };
    const third: Actor = { id: 'client:c', kind: 'client', name: 'c' };
    const flood = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => request(name));
    const came = await order([...flood, request('b1', other), request('b2', other), request('c1', third)]);
    expect(came).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', 'a5']);
  });

  it('The run queue refuses what one client sends beyond a bound, and nobody else', async () => {
    const turns = new RunQueue(() => {});
    const release = await turns.take(request('a'));
    const waiting = Array.from({ length: MOST_WAITING }, (_, index) => turns.take(request(`a${index}`)));
    await expect(turns.take(request('one more'))).rejects.toThrow(/wait for this image already/);
    void turns.take(request('p', PERSON));
    expect(turns.placeOf('p')).toBe(1);
    void turns.take(request('b', { id: 'client:b', kind: 'client', name: 'b' }));
    expect(turns.placeOf('b')).toBe(2);
    expect(turns.waiting.length).toBe(waiting.length + 2);
    release();
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
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    expect(turns.waiting).toEqual([]);
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
});
