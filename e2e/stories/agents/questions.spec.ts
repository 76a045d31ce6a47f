/** Stories about a restart that asks questions in a real image: its interactive function is answered in the debugger with the keyboard. */
import type { Locator } from '@playwright/test';
import { expect, test, type Desktop } from '../../desktop/fixture.ts';

const debuggerOf = (desktop: Desktop): Locator => desktop.region('Debugger');
const field = (desktop: Desktop, name: string): Locator => debuggerOf(desktop).getByRole('textbox', { name });

/** Evaluates code in the REPL. Once the code waits in the debugger, selects the restart with that name by its digit. */
async function take(desktop: Desktop, code: string, restart: string): Promise<void> {
  await desktop.page.keyboard.press('Control+Backquote');
  await desktop.repl(code);
  const frames = debuggerOf(desktop).getByRole('listbox', { name: 'Frames' });
  await expect(frames).toBeFocused();
  const button = debuggerOf(desktop).locator('[data-restarts] button').filter({ hasText: restart }).first();
  await desktop.page.keyboard.press((await button.locator('kbd').textContent())!.trim());
}

async function lastValue(desktop: Desktop, text: string | RegExp): Promise<void> {
  await expect.poll(async () => (await desktop.snapshot()).debuggers.debuggers).toEqual([]);
  await desktop.page.keyboard.press('Control+Backquote');
  await expect(desktop.region('REPL').getByRole('article').last()).toContainText(text);
}

test('An unbound variable asks for a form, which the keyboard gives [issue 11.3]', async ({
  sharedDesktop: desktop,
}) => {
  const { page } = desktop;
  await take(desktop, '(list *no-such-variable*)', 'USE-VALUE');
  const asked = field(desktop, 'Enter a form to be evaluated:');
  await expect(asked).toBeFocused();
  // An incomplete form continues on the next line.
  await page.keyboard.type('(* 6');
  await page.keyboard.press('Enter');
  await expect(asked).toHaveValue('(* 6\n');
  await page.keyboard.type('7)');
  await page.keyboard.press('Enter');
  await lastValue(desktop, '=> (42)');
});
