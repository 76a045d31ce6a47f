/** Tables in the words of an agent: drawn as tables, within the panel, with inline Markdown and without HTML. */
import { ask, launchWithAgent, log } from './agents/agent-panel.ts';
import { faultsInBothThemes } from './axe.ts';
import { expect, test } from './fixture.ts';

const TABLE = [
  '| Function | Calls | What it does, in so many words that the panel has not the room for all of them in one line |',
  '|:--|--:|:-:|',
  '| `area` | 12 | **Multiplies** its sides \\| both, see [the notes](https://example.org/notes) |',
  '| `perimeter` | 3 | &lt;b&gt;not bold&lt;/b&gt; <b>nor this</b> &#x202E; |',
  '| `short` |',
].join('\n');

test('A table of an agent is one, scrolls within the panel, and has links that ask and nothing hidden [issue 14.3]', async ({
  launch,
}, info) => {
  const wide = `| ${Array.from({ length: 14 }, (_each, index) => `column-${index}`).join(' | ')} |\n|${'--|'.repeat(14)}\n| ${Array.from({ length: 14 }, (_each, index) => `value-${index}`).join(' | ')} |`;
  const long = `| row |\n|--|\n${Array.from({ length: 230 }, (_each, index) => `| r${index} |`).join('\n')}`;
  const story = {
    turns: [
      { when: 'long', steps: [{ say: long }] },
      { steps: [{ say: `Here it is:\n${TABLE}\n\n${wide}\n\nA &amp; B &copy; &#39;c&#39;, \`&amp;\``, pieces: 9 }] },
    ],
  };
  const desktop = await launchWithAgent(launch, info, story);
  const { page } = desktop;
  await ask(desktop, 'go');
  const said = log(desktop).getByRole('article', { name: /said$/ });
  await expect(said).toContainText("A & B © 'c', &amp;");

  const frame = said.getByRole('group', { name: 'Table, 3 columns, 3 rows' });
  await expect(frame.getByRole('columnheader')).toHaveText(['Function', 'Calls', /^What it does/]);
  const rows = frame.getByRole('row');
  await expect(rows.nth(1).getByRole('cell')).toHaveText(['area', '12', 'Multiplies its sides | both, see the notes']);
  await expect(rows.nth(1).locator('code')).toHaveText('area');
  // What an agent writes as HTML is text, and what would turn the line around is shown.
  await expect(rows.nth(2).getByRole('cell').last()).toHaveText('<b>not bold</b> <b>nor this</b> ⟨U+202E⟩');
  await expect(rows.nth(3).getByRole('cell')).toHaveText(['short', '', '']);

  // A wide one is scrolled by the keyboard, and the panel stays as wide as it is.
  const second = said.getByRole('group', { name: 'Table, 14 columns, 1 row' });
  await second.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => second.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  expect(await log(desktop).evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);

  for (const theme of ['first', 'second']) {
    await said.screenshot({ path: info.outputPath(`tables-${theme}.png`) });
    expect(await faultsInBothThemes(desktop)).toEqual([]);
  }

  await frame.getByRole('button', { name: 'the notes' }).press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Open this address?' });
  await expect(question.getByText('https://example.org/notes', { exact: true })).toBeVisible();
  await question.press('Escape');
  await expect(question).toHaveCount(0);

  await ask(desktop, 'long');
  const last = said.last();
  await expect(last.getByRole('group', { name: 'Table, 1 column, 230 rows' }).getByRole('row')).toHaveCount(201);
  await last.getByRole('button', { name: 'Open whole, 30 more rows' }).click();
  await expect(page.locator('.monaco-editor').first()).toContainText('| r');
});
