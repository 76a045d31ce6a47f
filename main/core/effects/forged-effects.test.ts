/**
 * Effects of code that finds the engine's variables in raw memory and overwrites them, so that its effects seem to belong to another
 * evaluation than the running one.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { engineSymbol } from '#core/lisp/image.fixture.ts';
import { asking } from '#core/approvals/asking.fixture.ts';
import { decideNext, nextCard } from '#core/approvals/decide.fixture.ts';

const { bench, client, at } = await asking();
const { workbench } = bench;

beforeEach(() => writeFile(at('kept.txt'), 'the person wrote this'));

const as = (value: string, form: string) => `(progv (list ${engineSymbol('*EVALUATION*')}) (list ${value})
  (handler-case ${form} (error (condition) (princ-to-string condition))))`;
const deleting = () => `(delete-file "${at('kept.txt')}")`;

describe('effects of no evaluation', () => {
  it('An effect of no evaluation belongs to the only client whose code ran there, and counts for it', async () => {
    for (let count = 0; count < 3; count += 1) {
      const reply = client.evaluate(as('nil', deleting()));
      expect((await nextCard(workbench.approvals)).actor.name).toBe('codex');
      await decideNext(workbench.approvals, { decision: 'denied', reason: 'No' });
      await reply;
    }
    expect(workbench.clients.standing('client:codex').paused).toMatch(/refused 3 times in a row/);
    await workbench.clients.change({ id: 'client:codex', paused: false });
    expect(existsSync(at('kept.txt'))).toBe(true);
  });

  it('An effect of no evaluation is refused where code of several clients ran', async () => {
    const other = await bench.connect('other');
    await other.evaluate('(+ 1 1)');
    expect(await client.evaluate(as('nil', deleting()))).toMatch(/author of this code is unknown/);
    expect(existsSync(at('kept.txt'))).toBe(true);
  });
});

describe('effects of an evaluation that is over', () => {
  it("An effect of an evaluation that is over is answered by no grant of that evaluation's client", async () => {
    const other = await bench.connect('other');
    const first = client.evaluate(deleting());
    await decideNext(workbench.approvals, { decision: 'approved', remember: 'target' });
    await first;
    await writeFile(at('kept.txt'), 'again');
    const kept = `(defvar cl-user::*theirs* (symbol-value ${engineSymbol('*EVALUATION*')}))`;
    await client.evaluate(kept);
    const second = other.evaluate(as('cl-user::*theirs*', deleting()));
    await decideNext(workbench.approvals, { decision: 'denied', reason: 'No' });
    expect(await second).toMatch(/Denied: DELETE-FILE/);
    expect(existsSync(at('kept.txt'))).toBe(true);
  });
});
