/** Effects of code that an agent defined and the person calls. The card names the author, and only the person can decide on it. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '#contract/decisions/approval.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { asking } from '#core/approvals/asking.fixture.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';

const { bench, client, at } = await asking();
const { workbench } = bench;

beforeEach(() => writeFile(at('kept.txt'), 'the person wrote this'));

const { asPerson } = bench;
const define = (name: string, more = '') =>
  client.evaluate(`(defun ${name} () ${more} (list (delete-file "${at('kept.txt')}")))`);

/** Calls the agent's code as the person, and decides on the card. Returns true if the file still exists. */
async function call(name: string, decision: ApprovalDecision): Promise<boolean> {
  const report = asPerson(`(${name})`);
  await decideNext(workbench.approvals, decision);
  await report;
  return existsSync(at('kept.txt'));
}

const yes = { decision: 'approved' } as const;
const no = { decision: 'denied', reason: 'Not mine' } as const;

describe("effects of an agent's definition called by the person", () => {
  it("An effect of an agent's definition that the person calls waits on a card that says whose code it is and who called it", async () => {
    await define('total');
    const report = asPerson('(total)');
    const card = await nextCard(workbench.approvals);
    expect(card).toMatchObject({ actor: { name: 'codex' }, headline: 'Delete kept.txt (21 bytes)' });
    expect(card.rule).toBe('Asked because the code is called by you, defined by codex, not reviewed.');
    expect(card.facts.known[0]).toEqual({
      name: 'code',
      value: 'called by you, defined by codex, not reviewed: TOTAL',
      place: 'line',
    });
    expect(card.effect!.frames[0]!.call).toBe('(TOTAL)');
    expect(card.scopes.map(({ id, label }) => [id, label])).toEqual([['reviewed', 'TOTAL as reviewed']]);
    await decideNext(workbench.approvals, no);
    expect((await report).condition?.type).toBe('LISP-WORKBENCH:EFFECT-DENIED');
    expect(existsSync(at('kept.txt'))).toBe(true);
  });

  it("An effect of an agent's definition is asked about until the person marks the definition; a new definition asks again", async () => {
    await define('marked');
    expect(await call('marked', yes)).toBe(false);
    await writeFile(at('kept.txt'), 'again');
    expect(await call('marked', { decision: 'approved', remember: 'reviewed' })).toBe(false);
    await writeFile(at('kept.txt'), 'again');
    await asPerson('(marked)');
    expect(existsSync(at('kept.txt'))).toBe(false);
    await writeFile(at('kept.txt'), 'again');
    await define('marked', '(print 1)');
    expect(await call('marked', no)).toBe(true);
  });

  it('A definition marked in the list asks no more, also after going back, until the mark is taken back', async () => {
    await define('listed');
    const { definitions } = workbench.session;
    const listed = () => definitions.entries().find(({ name }) => name === 'LISTED');
    await expect.poll(listed).toBeDefined(); // the definition is reported only after the reply
    const entry = listed()!;
    const checkpoint = await workbench.session.checkpoint('before', PERSON);
    definitions.review([entry], true);
    await workbench.session.rewind(checkpoint.id, PERSON);
    await asPerson('(listed)');
    expect(existsSync(at('kept.txt'))).toBe(false);
    await writeFile(at('kept.txt'), 'again');
    definitions.review([entry], false);
    expect(await call('listed', no)).toBe(true);
  });

  it('No grant of the agent answers when the person calls its definition, and the mark answers nothing for the agent', async () => {
    await define('granted');
    const reply = client.evaluate('(granted)');
    await decideNext(workbench.approvals, { decision: 'approved', remember: 'target' });
    await reply;
    await writeFile(at('kept.txt'), 'again');
    expect(await call('granted', { decision: 'approved', remember: 'reviewed' })).toBe(false);
    await writeFile(at('kept.txt'), 'again');
    workbench.rules.revoke(null);
    const second = client.evaluate('(granted)');
    await decideNext(workbench.approvals, no);
    await second;
    expect(existsSync(at('kept.txt'))).toBe(true);
  });

  it('An effect counts for its author: a client refused three times in a row is paused, and its definitions still ask', async () => {
    await define('stubborn');
    for (let count = 0; count < 3; count += 1) expect(await call('stubborn', no)).toBe(true);
    expect(workbench.clients.standing('client:codex').paused).toMatch(/refused 3 times in a row/);
    expect(await call('stubborn', yes)).toBe(false);
  });
});
