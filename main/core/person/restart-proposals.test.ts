import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';
import { invokeRestart } from '#core/sessions/debugging.ts';
import { openTestWorkbench, type TestClient, type TestWorkbench } from '#core/workbench.fixture.ts';

let bench: TestWorkbench;
let client: TestClient;

beforeAll(async () => {
  bench = await openTestWorkbench();
  bench.workbench.approvals.setApprover('the test');
  client = await bench.connect();
  await client.evaluate(`
    (defun inner (n) (restart-case (error "odd ~A" n)
      (use-half () :report "Use the half." (/ n 2)) (use-value (v) :report "Use another." v)))`);
}, 120_000);

afterAll(() => bench.close());

async function setMode(mode: 'collaborate' | 'propose'): Promise<void> {
  const { clients } = bench.workbench;
  await clients.change({ id: clients.list()[0]!.id, mode });
}

/** Makes the client cause an error that waits in the debugger. From then on, the client needs approvals. */
beforeEach(async () => {
  await setMode('collaborate');
  await client.evaluate('(list :got (inner 7))');
  await client.call('invoke-restart', { restart: 'RETRY' });
  await setMode('propose');
});

const proposed = () => bench.workbench.proposals.openDebuggers().debuggers.map(({ proposals }) => proposals);

describe('restarts that clients propose', () => {
  it('A proposed restart is told with its debugger while its card waits, and the person’s yes takes it [D6, issue 11.3]', async () => {
    expect(proposed()).toEqual([[]]);
    const told = new Promise<void>((resolve) => {
      const stop = bench.workbench.proposals.events.on('changed', () => {
        stop();
        resolve();
      });
    });
    const answer = client.call('invoke-restart', {
      restart: 'use-value',
      arguments: ['(* 6 7)'],
      description: 'It is the answer.',
    });
    const card = await nextCard(bench.workbench.approvals);
    await told;
    expect(card).toMatchObject({
      headline: 'Take restart 1, USE-VALUE, in the debugger: Use another.',
      claim: 'It is the answer.',
      editable: null,
    });
    expect(card.arguments.map(({ name, value }) => [name, value])).toEqual([
      ['error', 'SIMPLE-ERROR: odd 7'],
      ['restart', '1: [USE-VALUE] Use another.'],
      ['argument', '(* 6 7)'],
    ]);
    const { id: approval, actor } = card;
    expect(proposed()).toEqual([[{ approval, actor, restart: 1, forms: ['(* 6 7)'], claim: 'It is the answer.' }]]);
    expect(bench.workbench.proposals.debuggerOf(card)).toBe(bench.workbench.session.debuggers[0]!.id);
    await decideNext(bench.workbench.approvals, { decision: 'approved' });
    expect((await answer).text).toBe('=> (:GOT 42)');
    expect(proposed()).toEqual([]);
  });

  it('A denied restart leaves the debugger as it is, without the proposal [D6, issue 11.3]', async () => {
    const answer = client.call('invoke-restart', { restart: 0 });
    await decideNext(bench.workbench.approvals, { decision: 'denied', reason: 'Not the half.' });
    expect((await answer).text).toBe('User denied tool execution: Not the half.');
    expect(proposed()).toEqual([[]]);
  });

  it('The request is withdrawn when the person takes another restart, and its client hears so [D6, issue 11.3]', async () => {
    const answer = client.call('invoke-restart', { restart: 'USE-HALF' });
    await nextCard(bench.workbench.approvals);
    const { session } = bench.workbench;
    await invokeRestart(session, { debugger: session.debuggers[0]!.id, restart: 1, arguments: [':mine'] });
    expect((await answer).text).toMatch(/^Not approved: The debugger closed before a decision/);
    expect(bench.workbench.approvals.view().waiting).toEqual([]);
    expect(proposed()).toEqual([]);
  });

  it('Nobody is asked about a restart that is not there [D6]', async () => {
    expect(await client.call('invoke-restart', { restart: 'USE-HALVE' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^There is no restart USE-HALVE\. Did you mean USE-HALF/),
    });
    expect(bench.workbench.approvals.view().waiting).toEqual([]);
  });

  it('RETRY is asked about with the code that it evaluates again [D6]', async () => {
    const answer = client.call('invoke-restart', { restart: 'RETRY' });
    const card = await nextCard(bench.workbench.approvals);
    expect([card.headline, card.arguments[0]?.value, card.proposal]).toEqual([
      'Evaluate the failed code again and hold its error in the debugger',
      '(list :got (inner 7))',
      null,
    ]);
    await decideNext(bench.workbench.approvals, { decision: 'approved' });
    expect((await answer).text).toMatch(/^Held in the debugger/);
  });
});
