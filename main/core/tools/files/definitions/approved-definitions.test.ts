/** Definitions that count as reviewed because the person approved an edit with their text. */
import { describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '#contract/decisions/approval.ts';
import { decideNext } from '#core/approvals/decide.fixture.ts';
import { unreviewedDefinitions } from '#core/sessions/definitions/views.ts';
import { projectFiles, SHOP, yes } from '../project-files.fixture.ts';

const files = projectFiles();

const total = (value: number): string => `(defun total (cart)\n  (reduce #'+ cart :initial-value ${value}))`;
const discount = (value: number): string => `(defmethod discount ((c string) x)\n  (* ${value} x))`;
const shop = (first: string, second: string): string => {
  const [head] = SHOP.split('(defun total');
  return `${head}${first}\n\n(defmethod discount ((c integer) x)\n  x)\n\n${second}\n`;
};
/** Unique numbers, so that each test defines functions that the image does not have yet. */
let last = 10;

/** An agent defines both functions in the image, and proposes the same text for the file. Resolves when the person has decided. */
async function evaluatedThenProposed(decision: ApprovalDecision, written = { first: 0, second: 0 }): Promise<void> {
  last += 1;
  const [first, second] = [total(last), discount(last)];
  await files.client.call('evaluate-lisp', { code: `(in-package :cl-user) ${first} ${second}`, package: 'CL-USER' });
  const modified = shop(total(last + written.first), discount(last + written.second));
  const args = { path: 'src/shop.lisp', original: SHOP, modified, description: 'Both.' };
  const reply = files.client.call('propose-file-edit', args);
  await decideNext(files.bench.workbench.approvals, decision);
  expect((await reply).isError).toBe(false);
}

const waiting = (): string[] =>
  unreviewedDefinitions(files.bench.workbench.session.definitions)
    .entries.map(({ name }) => name)
    .filter((name) => /^TOTAL$|^DISCOUNT .*STRING/.test(name))
    .toSorted();

describe('definitions of an approved edit', () => {
  it('The definitions that an approved edit wrote as the image runs them are reviewed', async () => {
    await evaluatedThenProposed(yes);
    expect(waiting()).toEqual([]);
  });

  it('Only the definitions in the accepted hunks are reviewed', async () => {
    await evaluatedThenProposed({ decision: 'approved', hunks: [1] });
    expect(waiting()).toEqual(['TOTAL']);
  });

  it('A definition is not reviewed if the image runs other code than the approved text', async () => {
    await evaluatedThenProposed(yes, { first: 1000, second: 0 });
    expect(waiting()).toEqual(['TOTAL']);
  });

  it('After an undo of the edit, its definitions need a review again', async () => {
    await evaluatedThenProposed(yes);
    const { approvals } = files.bench.workbench;
    const { restored } = await files.bench.workbench.takeBack(approvals.view().decided[0]!.id);
    expect([restored, waiting()]).toEqual([true, ['DISCOUNT (STRING T)', 'TOTAL']]);
  });

  it('An edit that a rule approved reviews nothing', async () => {
    const { approvals } = files.bench.workbench;
    approvals.setApprover('the test', undefined, () => ({ approved: true, by: 'a rule' }));
    last += 1;
    await files.client.call('evaluate-lisp', { code: total(last), package: 'CL-USER' });
    const modified = shop(total(last), discount(2));
    const args = { path: 'src/shop.lisp', original: SHOP, modified, description: 'One.' };
    expect((await files.client.call('propose-file-edit', args)).isError).toBe(false);
    approvals.setApprover('the test');
    expect(waiting()).toContain('TOTAL');
  });

  it('An edit that is loaded with the same approval is reviewed as loaded', async () => {
    last += 1;
    const edits = [{ path: 'src/shop.lisp', definition: 'total', text: total(last) }];
    const reply = files.client.call('edit-files', { edits, load: true });
    await decideNext(files.bench.workbench.approvals, yes);
    expect((await reply).isError).toBe(false);
    expect(waiting()).not.toContain('TOTAL');
  });
});
