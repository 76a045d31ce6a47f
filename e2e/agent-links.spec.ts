/** Links in the words of an agent: shown as a whole, opened in the browser when the person says so, and of the web or of mail alone. */
import { ask, launchBesideAgent, log, startAgent } from './agents/agent-panel.ts';
import { faultsInBothThemes } from './axe.ts';
import { browserAside } from './browser-aside.ts';
import { expect, test } from './fixture.ts';

test('A link of an agent asks with its whole address, opens that in the browser, and no other scheme ever [issue 14.3]', async ({
  launch,
}, info) => {
  const say =
    'See [the notes](https://ex\u0430mple.org/notes), [this file](file:///etc/passwd) and [the bank](https://bank.example@evil.example/).';
  const desktop = await launchBesideAgent(launch, info, { turns: [{ steps: [{ say }] }] });
  const opened = await browserAside(desktop);
  await startAgent(desktop);
  await ask(desktop, 'Where can I read more?');
  const said = log(desktop).getByRole('article', { name: /said$/ });
  const question = desktop.page.getByRole('alertdialog', { name: 'Open this address?' });

  // The letter that only looks like an a is told by the address, which is shown as it is opened.
  await said.getByRole('button', { name: 'the notes' }).focus();
  await desktop.page.keyboard.press('Enter');
  await expect(question).toContainText('It opens xn--exmple-4nf.org in your browser');
  await expect(question.getByText('https://xn--exmple-4nf.org/notes', { exact: true })).toBeVisible();
  expect(await faultsInBothThemes(desktop)).toEqual([]);
  // Enter once more does not open it.
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await desktop.page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  expect(await opened()).toEqual([]);

  await said.getByRole('button', { name: 'the notes' }).click();
  await question.getByRole('button', { name: 'Open', exact: true }).click();
  await expect.poll(opened).toEqual(['https://xn--exmple-4nf.org/notes']);

  const told = desktop.page.getByRole('alertdialog', { name: 'Where the link leads' });
  for (const [name, address] of [
    ['this file', 'file:///etc/passwd'],
    ['the bank', 'https://bank.example@evil.example/'],
  ] as const) {
    await said.getByRole('button', { name }).click();
    await expect(told).toContainText(address);
    await expect(told.getByRole('button', { name: 'Open' })).toHaveCount(0);
    await told.getByRole('button', { name: 'Close' }).click();
    // A page that would not ask is refused.
    const refused = desktop.page.evaluate(
      (wanted) => window.workbench.call('app.openAddress', { address: wanted }),
      address,
    );
    await expect(refused).rejects.toThrow('This address is not opened from here.');
  }
  expect(await opened()).toHaveLength(1);
});
