/** The keymaps in the window: the chords of a SLIME user, their display, and the list of all keys. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { type Disk, openDisk, openOnDisk } from '../../disk.fixture.ts';
import { reportOf } from '../../image.fixture.ts';
import { placeCaret, region, shownText } from '../../text.fixture.ts';
import { allBindings } from './command-registry.ts';
import { answer, openWholeWindow, press, type, type FakeCore } from '../../window.fixture.tsx';
import { answerClipboard, emacs, keysLine } from './emacs.fixture.ts';
import { faultsOf } from './key-sequences.ts';

let core: FakeCore;
let disk: Disk;

beforeEach(async () => {
  core = await openWholeWindow();
  disk = openDisk(core);
  answerClipboard();
});

/** Opens a text, and switches to SLIME's keys. */
async function opened(drawn: string): Promise<void> {
  await openOnDisk(disk, 'keys.lisp', drawn);
  core.choose({ keymap: 'slime' });
}

/** Saves with the keyboard, and waits until the file has this content. */
async function saved(text: string): Promise<void> {
  await emacs('C-x C-s');
  await expect.poll(() => disk.read('keys.lisp')).toBe(text);
}

it('What is killed is yanked, joined where it was killed in a row, and earlier kills take its place [issue 36.4]', async () => {
  await opened('one\ntwo\nthree¦\n');
  await emacs('M-<', 'C-k', 'C-k', 'C-k', 'C-k', 'C-y', 'C-y');
  await saved('one\ntwo\none\ntwo\nthree\n');
  // If another program has copied text since the last kill, yank inserts the clipboard's content.
  await navigator.clipboard.writeText('from elsewhere');
  window.dispatchEvent(new Event('focus'));
  await emacs('C-y');
  await expect.poll(shownText).toContain('from elsewherethree');
  await emacs('C-/');
  await expect.poll(shownText).not.toContain('from elsewhere');
  await emacs('M-d', 'C-y', 'C-SPC', 'M-y');
  await expect.element(keysLine()).toMatchTextContent('An earlier kill can only be inserted');
  await emacs('C-k', 'C-y', 'C-y', 'M-y');
  await saved('one\ntwo\none\ntwo\nthree\nthree');
});

it('A word is killed without the parentheses and quotes on the way to it [issue 36.4]', async () => {
  await opened('¦(list "some words" (a b))\n');
  await emacs('M-d');
  await saved('( "some words" (a b))\n');
  await emacs('M-d');
  await saved('( " words" (a b))\n');
  await emacs('C-e', 'M-DEL');
  await saved('( " words" (a ))\n');
  await emacs('C-y');
  await expect.poll(shownText).toBe('( " words" (a b))\n');
});

it('Ctrl+K keeps the parentheses of a form, and the region goes from the mark to the caret [issue 36.4]', async () => {
  await opened('(list ¦(a b) c)\n(second)\n');
  await emacs('C-k');
  await saved('(list )\n(second)\n');
  await emacs('C-y');
  await saved('(list (a b) c)\n(second)\n');
  await emacs('M-<', 'C-SPC', 'C-n', 'C-w');
  await saved('(second)\n');
  await emacs('M->', 'C-y', 'M-y');
  await saved('(second)\n(a b) c');
  // Typing with an active region does not replace the region; the text is inserted at the caret.
  await emacs('M-<', 'C-SPC', 'C-M-f');
  await type('!');
  await saved('(second)!\n(a b) c');
  await emacs('C-/');
  await saved('(second)\n(a b) c');
  // The next key is the command's argument and is not inserted: the command kills the text up to this character.
  await emacs('M->', 'C-a', 'M-z');
  await expect.element(keysLine()).toHaveTextContent('Type the character to kill to…');
  await press(')');
  await saved('(second)\n c');
  await emacs('M-z', 'C-g', 'M-z');
  await press('~');
  await expect.element(keysLine()).toHaveTextContent('There is no ~ after the caret.');
  await emacs('C-q');
  await press('(');
  await saved('(second)\n( c');
});

it('A chord that is begun is shown, an unknown one says so, and neither changes anything [B19, issue 36.4]', async () => {
  answer({
    'compile.text': ({ evaluation, loads }) => ({
      report: reportOf(evaluation, []),
      result: {
        failed: false,
        warningsP: false,
        diagnostics: [],
        total: 0,
        loaded: loads ?? true,
        definitions: 0,
        fasl: null,
        refused: [],
      },
    }),
  });
  await opened('(list¦ 1)\n');
  await emacs('C-x');
  await expect.element(keysLine()).toHaveTextContent('Ctrl+X was pressed. Waiting for the next key…');
  await emacs('q');
  await expect.element(keysLine()).toHaveTextContent('Ctrl+X Q is not bound here.');
  await emacs('C-c', 'C-d');
  await expect.element(keysLine()).toHaveTextContent('Ctrl+C Ctrl+D was pressed. Waiting for the next key…');
  await press('Escape');
  await expect.element(keysLine()).toHaveTextContent('');
  await emacs('C-x');
  await emacs('C-g');
  await expect.element(keysLine()).toHaveTextContent('');
  const repl = region('REPL');
  await emacs('C-u C-c C-c');
  await expect.element(repl).toMatchTextContent('; compile');
  await expect.element(repl).toMatchTextContent('Compiled');
  await emacs('C-c C-o');
  await expect.element(repl).toMatchTextContent('Output cleared.');
  await emacs('C-c M-k');
  await expect.element(page.getByText('Compiled keys.lisp without loading it: 0 definitions.')).toBeVisible();
  await emacs('C-z');
  await saved('(list 1)\n');
  await type('!');
  await saved('(list! 1)\n');
  // The keys work everywhere in the window, including dialogs and the palette.
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await emacs('M-x');
  await expect.element(palette).toBeVisible();
  await type('>theme: l');
  await emacs('C-x', 'C-g', 'C-g');
  await expect.element(palette).not.toBeInTheDocument();
  await emacs('C-x b');
  await expect.element(page.getByRole('option', { name: /keys\.lisp/ })).toBeVisible();
  await emacs('C-m');
  await expect.element(palette).not.toBeInTheDocument();
});

it('Ctrl+S searches as one types, again for the next match, Enter stays there and Ctrl+G goes back [issue 36.4]', async () => {
  const words = () => region('Status bar').element().textContent;
  await opened('¦(one)\n(two one)\n(one three)\n');
  await emacs('C-s');
  await type('one');
  await emacs('C-s');
  await emacs('RET');
  await expect.poll(words).toContain('Ln 2, Col 9');
  await emacs('C-s', 'C-s', 'C-s');
  await emacs('C-g');
  await expect.poll(words).toContain('Ln 2, Col 9');
  await emacs('M->', 'C-r');
  await type('one');
  await emacs('RET');
  await expect.poll(words).toContain('Ln 3, Col 2');
});

it('The REPL has Emacs’s keys, its history with Alt+P and its search, and commands of SLIME [issue 36.4]', async () => {
  answer({ 'repl.evaluate': ({ evaluation }) => reportOf(evaluation, ['42']) });
  const repl = region('REPL');
  const input = page.getByRole('textbox', { name: 'REPL input' });
  core.choose({ keymap: 'slime' });
  await input.click();
  await type('(+ 20 22)');
  await emacs('RET');
  await expect.element(repl).toMatchTextContent('42');
  await emacs('M-p');
  await expect.element(input).toHaveValue('(+ 20 22)');
  await emacs('C-a', 'C-f', 'C-f', 'C-k');
  await expect.element(input).toHaveValue('(+');
  await emacs('C-a', 'C-y', 'C-e', 'C-b', 'C-d');
  await expect.element(input).toHaveValue(' 20 22)(');
  await emacs('C-x h', 'C-w');
  await expect.element(input).toHaveValue('');
  await emacs('C-r');
  const search = page.getByRole('textbox', { name: 'Search the history' });
  await expect.element(search).toHaveFocus();
  await type('2');
  await emacs('C-r', 'C-s', 'C-a', 'C-k');
  await expect.element(search).toHaveValue('');
  await emacs('C-g');
  await expect.element(input).toHaveFocus();
  await emacs('C-c M-o');
  await expect.element(repl).not.toMatchTextContent('42');
  await input.fill('(row-major-aref x 1)');
  await emacs('C-a', 'C-f', 'C-c C-d d');
  await expect.element(region('Documentation')).toMatchTextContent('row-major-aref');
});

it('The key for help lists the keys of the chosen keymap, found by name, by Emacs’s notation and by pressing them [B19, issue 36.4]', async () => {
  const help = page.getByRole('dialog', { name: 'Keys and commands' });
  const group = (name: string) => help.getByRole('region', { name, exact: true });
  const found = () => [...help.element().querySelectorAll('dt')].map(({ textContent }) => textContent);
  await press('F1');
  await expect.element(group('File')).toMatchTextContent('Save FileCtrlS');
  await expect.element(group('Keys of the editor')).toMatchTextContent('CtrlC');
  await press('Escape');
  core.choose({ keymap: 'slime' });
  await press('F1');
  await expect.element(group('File')).toMatchTextContent('Save FileCtrlXCtrlS');
  await expect.element(group('Not implemented yet')).not.toBeInTheDocument();
  await expect.element(group('In the debugger, while it has the focus')).toMatchTextContent('Restart Frame');
  const field = help.getByRole('searchbox', { name: 'Find a command or its keys' });
  await field.fill('C-x C-e');
  await expect.poll(found).toEqual([expect.stringMatching(/^Evaluate Form/)]);
  await field.fill('slurp form forward');
  await expect.poll(found).toEqual([expect.stringMatching(/^Slurp Form Forward/)]);
  await help.getByRole('button', { name: 'Press keys' }).click();
  await emacs('C-x');
  await expect.element(help.getByRole('status')).toHaveTextContent('Pressed: Ctrl+X');
  await emacs('C-s');
  await expect.poll(found).toEqual(['Save File']);
  await emacs('C-c', 'C-x', 'F12');
  await expect.element(help).toMatchTextContent('These keys are not bound in this keymap.');
  await press('Escape');
  await expect.element(help.getByRole('status')).toHaveTextContent('Keymap: SLIME');
  await press('Escape');
  await expect.element(help).not.toBeInTheDocument();
});

it('No keymap has keys that mean two things in one place, or a command whose keys begin others [B19, issue 36.4]', async () => {
  for (const keymap of ['vscode', 'alive', 'slime'] as const) {
    core.choose({ keymap });
    await press('F1');
    const help = page.getByRole('dialog', { name: 'Keys and commands' });
    await expect.element(help).toBeVisible();
    const commands = 'section:not([aria-label*="focus"]):not([aria-label="Keys of the editor"])';
    const listed = [...help.element().querySelectorAll(commands)].flatMap((section) =>
      [...section.querySelectorAll('dd [data-keys]')].map((each) => ({
        keys: each.getAttribute('data-keys')!,
        in: each.getAttribute('data-place'),
        command: each.closest('dd')!.previousElementSibling!.textContent,
      })),
    );
    expect({ keymap, isLong: listed.length > 60, faults: faultsOf(listed) }).toEqual({
      keymap,
      isLong: true,
      faults: [],
    });
    await press('Escape');
    await expect.element(help).not.toBeInTheDocument();
  }
});

it('The mark is exchanged with the caret, gone back to, and motions and forms extend its region [issue 36.4]', async () => {
  await opened('¦(alpha (beta) gamma)\n(delta)\n');
  await emacs('C-M-d', 'C-SPC', 'M-f', 'C-x C-x');
  await expect.element(region('Status bar')).toMatchTextContent('Ln 1, Col 2');
  await emacs('M-w', 'M->');
  await emacs('C-y', 'C-u C-SPC', 'C-u C-SPC');
  await saved('(alpha (beta) gamma)\n(delta)\nalpha');
  // Arrow keys also extend the region, and commands for forms extend it by a form.
  await emacs('M-<', 'C-SPC', '<right>', 'C-w');
  await saved('alpha (beta) gamma)\n(delta)\nalpha');
  await emacs('C-/', 'M-<', 'C-M-SPC', 'C-M-SPC', 'M-w', 'C-M-a', 'C-M-k');
  await saved('\n(delta)\nalpha');
  await emacs('C-y', 'M-y');
  await saved('(alpha (beta) gamma)\n(delta)\n(delta)\nalpha');
  // Word commands: from the end of the text, the caret moves to the start of the last word, which is then upcased.
  await emacs('M->', 'M-b', 'M-u');
  await saved('(alpha (beta) gamma)\n(delta)\n(delta)\nALPHA');
});

/** Fields over the text or beside it, each with the keys that open it. */
const FIELDS: readonly (readonly [name: string, keys: string | null, field: string])[] = [
  ['Find', 'Control+f', '.find-widget textarea'],
  ['Replace', 'Control+h', '.find-widget textarea'],
  ['Rename', 'F2', '.rename-box input'],
  ['Definitions filter', null, '[aria-label="Definitions filter"]'],
];
/** The keys of the find box itself: it replaces all matches, finds the next one, or closes. */
const OF_FIND = new Set(['Control+Alt+Enter', 'Enter', 'Escape']);

/** Focuses a field over the text, unless it has the focus already. */
async function goInto(
  name: string,
  { opening, field, drawn }: { readonly opening: string | null; readonly field: string; readonly drawn: string },
): Promise<void> {
  const isThere = (): boolean => document.activeElement?.matches(field) === true;
  if (isThere()) return;
  await placeCaret(drawn);
  if (opening === null) await page.getByRole('searchbox', { name, exact: true }).click();
  else await press(opening);
  await expect.poll(isThere, { message: name }).toBe(true);
}

it.each(['vscode', 'alive'] as const)(
  'No key of the text changes or evaluates it while the focus is in a field, in the keymap %s [issue 39.1]',
  async (keymap) => {
    const text = '(list (aa 3) (bb (cc 4) 5))\n(defun rename-me (aa) (list aa))\n';
    const drawn = text.replace('rename-me', 'rename¦-me');
    await openOnDisk(disk, 'fields.lisp', drawn);
    core.choose({ keymap });
    const bound = allBindings().filter((each) => each.in === 'Editor text' && !each.keys.includes(' '));
    const keys = [...new Set(bound.map((each) => each.keys.replace('Ctrl+', 'Control+')))].filter(
      (each) => !OF_FIND.has(each),
    );
    expect(keys.length).toBeGreaterThan(20);
    for (const [name, opening, field] of FIELDS)
      for (const each of keys) {
        await goInto(name, { opening, field, drawn });
        const before = core.calls.length;
        await press(each);
        const evaluated = core.calls.slice(before).some((called) => called.name === 'repl.evaluate');
        expect([shownText(), evaluated], `${each} in ${name}`).toEqual([text, false]);
      }
  },
);
