/** The keyboard of a person with Emacs in their hands. */
import { expect, type Locator } from '@playwright/test';
import type { Settings } from '../../main/contract/settings.ts';
import type { Desktop } from './fixture.ts';

/** Chooses a keymap, and waits until its keys are those that are drawn. */
export async function choose(desktop: Desktop, keymap: Settings['keymap']): Promise<void> {
  await desktop.page.evaluate((given) => window.workbench.call('settings.change', { keymap: given }), keymap);
  // The keys that are drawn everywhere are those of the keymap.
  const shown = desktop.page.getByRole('button', { name: 'Command field' }).locator('kbd').first();
  await expect(shown).toHaveAttribute('data-text', keymap === 'slime' ? 'Alt' : 'Ctrl');
}

/** Presses keys in Emacs's notation, one stroke after the other. */
export async function emacs(desktop: Desktop, ...sequences: string[]): Promise<void> {
  const names: Record<string, string> = { SPC: 'Space', RET: 'Enter', DEL: 'Backspace', '<right>': 'ArrowRight' };
  for (const stroke of sequences.flatMap((each) => each.split(' '))) {
    const [, held, name] = /^((?:[CM]-)*)(.+)$/.exec(stroke)!;
    const modifiers = held!.replaceAll('C-', 'Control+').replaceAll('M-', 'Alt+');
    const shifted = /^[A-Z?_<>%(~]$/.test(name!) ? 'Shift+' : '';
    await desktop.page.keyboard.press(`${modifiers}${shifted}${names[name!] ?? name!}`);
  }
}

/** The line of the status bar that tells of keys. */
export const keysLine = (desktop: Desktop): Locator => desktop.page.getByRole('status', { name: 'Keys' });
