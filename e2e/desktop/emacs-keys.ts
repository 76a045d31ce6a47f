/** Types keys like a person who uses Emacs. */
import { expect, type Locator } from '@playwright/test';
import type { Settings } from '../../main/contract/settings.ts';
import type { Desktop } from './fixture.ts';

/** Chooses a keymap, and waits until its keys are shown. */
export async function choose(desktop: Desktop, keymap: Settings['keymap']): Promise<void> {
  await desktop.page.evaluate((given) => window.workbench.call('settings.change', { keymap: given }), keymap);
  // The keys shown on buttons belong to the current keymap, so this button shows when the keymap has changed.
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

/** The status bar's item about keys. */
export const keysLine = (desktop: Desktop): Locator => desktop.page.getByRole('status', { name: 'Keys' });
