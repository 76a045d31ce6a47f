/** Actions of the person in Review: opens it, and decides once decisions are accepted. */
import type { Locator, Page } from '@playwright/test';
import { expect, type Agent, type Desktop } from './fixture.ts';

/** Opens Review at the waiting card, as F7 does. */
export async function openReview(desktop: Desktop): Promise<Page> {
  await expect.poll(async () => (await desktop.snapshot()).waitingApprovals).toBeGreaterThan(0);
  if (!(await desktop.snapshot()).reviewOpen) await desktop.page.keyboard.press('F7');
  return desktop.review();
}

export const button = (review: Page, name: string): Locator => review.getByRole('button', { name, exact: true });

export const radio = (review: Page, name: RegExp): Locator => review.getByRole('radio', { name });

/** Clicks a decision button as soon as it is enabled. */
export async function press(review: Page, name: string): Promise<void> {
  await expect(button(review, name)).toBeEnabled();
  await button(review, name).click();
}

/** Denies the open card with a reason. */
export async function deny(review: Page, reason: string): Promise<void> {
  await press(review, 'Deny');
  await review.getByRole('textbox').fill(reason);
  await press(review, 'Deny');
}

/** Approves the open card. */
export async function approve(review: Page): Promise<void> {
  await press(review, 'Approve');
}

/** The definitions of a file. `ORIGINAL` is the file's text, and `MODIFIED` the text with a change in each definition. */
export const FORMS = ['total', 'discount', 'tax'].map((name) => `(defun ${name} (x)\n  "Of X."\n  (* x 1))\n`);
export const ORIGINAL = FORMS.join('\n');
export const MODIFIED = ORIGINAL.replaceAll('1)', '2)');

/** Proposes the change from `ORIGINAL` to `MODIFIED` in `shop.lisp`, which must contain `ORIGINAL`. */
export function propose(agent: Agent): ReturnType<Agent['call']> {
  const description = 'Doubles all of them.';
  return agent.call('propose-file-edit', { path: 'shop.lisp', original: ORIGINAL, modified: MODIFIED, description });
}

/** Returns code that deletes a file. */
export const deleting = (file: string): { code: string } => ({ code: `(progn (delete-file "${file}") :done)` });
