/** The transcript of the REPL: how output and values are drawn. */
import { beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { reportOf } from '../../../image.fixture.ts';
import { editorRegion, region } from '../../../text.fixture.ts';
import { answer, faults, openWholeWindow, press, type, type FakeCore } from '../../../window.fixture.tsx';

let core: FakeCore;

beforeEach(async () => {
  core = await openWholeWindow();
});

const repl = () => region('REPL');
const input = () => page.getByRole('textbox', { name: 'REPL input' });

async function evaluate(code: string): Promise<void> {
  await input().click();
  await type(code);
  await press('Control+Enter');
}

it('Colours that a program prints are seen as colours, and copied as text without them [D5, issue 36.4]', async () => {
  const escape = '\u001B';
  answer({
    'app.copy': async ({ text }) => {
      await navigator.clipboard.writeText(text);
      return {};
    },
    'repl.evaluate': ({ evaluation }) => {
      const text = `${escape}[1;32mpassed${escape}[0m and ${escape}[31mfailed${escape}[0m\n`;
      core.tell('output', [{ evaluation, stream: 'stdout', text, left: 0 }]);
      return reportOf(evaluation, ['NIL']);
    },
  });
  await evaluate('(report)');
  await expect.element(repl()).toMatchTextContent('passed and failed');
  const colourOf = (word: string): string => getComputedStyle(repl().getByText(word, { exact: true }).element()).color;
  expect(colourOf('passed')).not.toBe(colourOf('failed'));
  expect(await faults()).toEqual([]);
  await repl()
    .getByRole('log', { name: 'Transcript' })
    .click({ position: { x: 4, y: 4 } });
  await press('Control+a');
  await press('Control+c');
  await expect.poll(() => navigator.clipboard.readText()).toContain('passed and failed\n=> NIL');
});

it('A huge value is folded, shown and opened whole [D5, issue 36.4]', async () => {
  const text = `"${'x'.repeat(199_999)}`;
  answer({
    'repl.evaluate': ({ evaluation }) =>
      reportOf(evaluation, [], { values: [{ text, type: 'STRING', cut: 100_002, handle: 1 }] }),
    'inspector.text': () => ({ expired: false, text: `"${'x'.repeat(300_000)}"`, cut: 0 }),
  });
  await evaluate('(huge)');
  await expect.element(repl().getByRole('button', { name: 'Show 200,000 characters' })).toBeVisible();
  await repl()
    .getByRole('button', { name: /Open full text, 300,002 characters/ })
    .click();
  await expect.element(page.getByRole('tab', { name: /Value of/ })).toBeVisible();
  await expect.element(editorRegion()).toMatchTextContent('xxxx');
});
