import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { openWholeWindow, type } from '../window.fixture.tsx';

it('The first key of a new window goes into the REPL [B24, issue 36.4]', async () => {
  await openWholeWindow();
  await expect.element(page.getByRole('textbox', { name: 'REPL input' })).toHaveFocus();
  await type('(');
  await expect.element(page.getByRole('textbox', { name: 'REPL input' })).toHaveValue('()');
});
