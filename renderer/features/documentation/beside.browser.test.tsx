/** Texts about a name that open beside the text in which the name is. */
import { beforeEach, expect, it } from 'vitest';
import { type Disk, openDisk, openOnDisk } from '../../disk.fixture.ts';
import { editorRegion, shownText } from '../../text.fixture.ts';
import { answer, openWholeWindow, press } from '../../window.fixture.tsx';

let disk: Disk;

beforeEach(async () => {
  disk = openDisk(await openWholeWindow());
  answer({ 'names.text': ({ symbol }) => ({ found: true, text: `; machine code of ${symbol}`, cut: 0 }) });
});

it('The group keeps its shown text and the focus when the machine code of a function opens beside it [issue 39.1]', async () => {
  await openOnDisk(disk, 'first.lisp', '(fir¦st-name 1)');
  await openOnDisk(disk, 'second.lisp', '(second-name 2)');
  await press('Control+Tab');
  await expect.poll(shownText).toBe('(first-name 1)');
  for (const time of ['first', 'again']) {
    await press('Control+Alt+d');
    await expect.element(editorRegion()).toMatchTextContent(/machine\scode\sof/);
    await expect.poll(shownText, { message: time }).toBe('(first-name 1)');
    const selected = editorRegion().getByRole('tab', { selected: true }).elements();
    expect(selected.map(({ textContent }) => textContent)).toEqual(['first.lisp', 'Disassembly of first-name']);
  }
});
