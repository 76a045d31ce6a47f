/** Actions of a person in the whole window, and a check of the texts of several elements. */
import { expect } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { activeEditor } from './editor/groups/active-editor.ts';
import { insert, press } from './window.fixture.tsx';

/** Evaluates code at the REPL. */
export async function evaluate(code: string): Promise<void> {
  await page.getByRole('textbox', { name: 'REPL input' }).click();
  await insert(code);
  await press('Control+Enter');
}

/** Opens a new text with this content. The caret is at its end. */
export async function newText(text: string): Promise<void> {
  const before = activeEditor()?.getModel();
  await press('Control+n');
  await expect.poll(() => activeEditor() && activeEditor()?.getModel() !== before).toBe(true);
  activeEditor()!.focus();
  await expect.poll(() => activeEditor()!.hasTextFocus()).toBe(true);
  await insert(text);
}

/** Runs a command by its name in the palette. */
export async function runCommand(title: string): Promise<void> {
  await press('Control+Shift+P');
  await insert(title);
  await press('Enter');
}

/** Moves the focus to an element. */
export async function focusOn(locator: Locator): Promise<void> {
  await expect.element(locator).toBeVisible();
  (locator.element() as HTMLElement).focus();
}

export async function expectCount(locator: Locator, count: number): Promise<void> {
  await expect.poll(() => locator.length, { message: locator.selector }).toBe(count);
}

/** Waits until the elements have exactly these texts, in this order. */
export async function expectTexts(locator: Locator, texts: readonly (string | RegExp)[]): Promise<void> {
  await expect
    .poll(() => locator.elements().map(({ textContent }) => textContent.replaceAll(/\s+/g, ' ').trim()))
    .toEqual(texts.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text))));
}
