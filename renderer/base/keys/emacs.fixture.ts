/** Key presses of an Emacs user, and a fake of the system's clipboard. */
import { page } from 'vitest/browser';
import { answer, press } from '../../window.fixture.tsx';

const NAMES: Readonly<Record<string, string>> = {
  SPC: 'Space',
  RET: 'Enter',
  DEL: 'Backspace',
  '<right>': 'ArrowRight',
};

/** Presses keys in Emacs notation, one stroke after another. */
export async function emacs(...sequences: string[]): Promise<void> {
  for (const stroke of sequences.flatMap((each) => each.split(' '))) {
    const [, held, name] = /^((?:[CM]-)*)(.+)$/.exec(stroke)!;
    const modifiers = held!.replaceAll('C-', 'Control+').replaceAll('M-', 'Alt+');
    const shifted = /^[A-Z?_<>%(~]$/.test(name!) ? 'Shift+' : '';
    await press(`${modifiers}${shifted}${NAMES[name!] ?? name!}`);
  }
}

/** Returns the line of the status bar that shows keys. */
export const keysLine = () => page.getByRole('status', { name: 'Keys' });

/** Makes the fake core copy to the clipboard and paste from it, as the core does. */
export function answerClipboard(): void {
  answer({
    'app.copy': async ({ text }) => {
      await navigator.clipboard.writeText(text);
      return {};
    },
    'app.paste': async ({ unless }) => {
      const held = await navigator.clipboard.readText();
      const pasted = held !== '' && held !== unless;
      if (pasted) paste(held);
      return { pasted };
    },
  });
}

/** Pastes a text into the element with the focus. */
function paste(text: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  document.activeElement!.dispatchEvent(event);
}
