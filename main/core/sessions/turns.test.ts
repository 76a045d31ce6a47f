import { describe, expect, it } from 'vitest';
import { PERSON, type Actor } from '#contract/session.ts';
import { Turns, type TurnRequest } from './turns.ts';

const agent: Actor = { id: 'client:a', kind: 'client', name: 'a' };

function request(evaluation: string, actor: Actor = agent, urgent = false): TurnRequest {
  return { evaluation, actor, summary: evaluation, urgent };
}

/** Takes turns in the given order and gives back the order in which they came. */
async function order(requests: TurnRequest[]): Promise<string[]> {
  const turns = new Turns(() => {});
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

describe('turns', () => {
  it('serve the first come first', async () => {
    expect(await order(['a', 'b', 'c'].map((name) => request(name)))).toEqual(['a', 'b', 'c']);
  });

  it('let a person go before agents, and housekeeping before both', async () => {
    const requests = [
      request('a'),
      request('b'),
      request('p', PERSON),
      request('r', PERSON, true),
      request('q', PERSON),
    ];
    expect(await order(requests)).toEqual(['a', 'r', 'p', 'q', 'b']);
  });

  it('show the place of who waits', async () => {
    const turns = new Turns(() => {});
    await turns.take(request('a'));
    void turns.take(request('b'));
    void turns.take(request('p', PERSON));
    expect(['a', 'p', 'b', 'x'].map((name) => turns.placeOf(name))).toEqual([0, 1, 2, 0]);
  });

  it('never run two at once when a release and a newcomer meet', async () => {
    const turns = new Turns(() => {});
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

  it('go on while one is parked, and take it back', async () => {
    const turns = new Turns(() => {});
    const release = await turns.take(request('asks'));
    turns.park('asks');
    const other = await turns.take(request('other'));
    expect({ running: turns.running?.evaluation, parked: turns.parked.map((turn) => turn.evaluation) }).toEqual({
      running: 'other',
      parked: ['asks'],
    });
    other();
    turns.resume('asks');
    expect(turns.running?.evaluation).toBe('asks');
    release();
    expect([turns.running, turns.parked]).toEqual([null, []]);
  });

  it('end for a parked one that never comes back', async () => {
    const turns = new Turns(() => {});
    const release = await turns.take(request('asks'));
    turns.park('asks');
    release();
    expect(turns.parked).toEqual([]);
  });

  it('are given up when the caller cancels while waiting', async () => {
    const turns = new Turns(() => {});
    await turns.take(request('a'));
    const controller = new AbortController();
    const waiting = turns.take(request('b'), controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    expect(turns.waiting).toEqual([]);
  });
});
