import { expect, test } from '../../desktop/fixture.ts';
import { sandboxIsPossible } from '../../desktop/sandbox-possible.ts';

test('The sandbox is chosen in Settings, takes effect with a restart, and the status bar tells of it [G7]', async ({
  desktop,
}) => {
  const { page } = desktop;
  const bar = desktop.region('Status bar');
  await expect(bar.getByRole('button', { name: 'Protection: guard on', exact: true })).toBeVisible();
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const choice = settings.getByRole('radiogroup', { name: 'Run images in a sandbox' });
  await expect(choice.getByRole('radio', { name: 'Off' })).toBeChecked();
  await choice.getByText('On', { exact: true }).click();
  await expect(settings).toContainText('not in the sandbox yet');
  const safety = settings.getByRole('group', { name: 'Agents and safety' });
  await safety.getByRole('button', { name: 'Restart Image…' }).click();
  await page.getByRole('alertdialog', { name: 'Restart the image?' }).getByRole('button', { name: 'Restart' }).click();
  await expect(sandboxIsPossible ? bar : page.locator('body')).toContainText(
    sandboxIsPossible ? 'guard on, sandboxed' : 'It was not started without',
  );
  await bar.getByRole('button', { name: /^Protection: guard on/ }).click();
  await expect(page.getByRole('dialog', { name: /^Protection of/ })).toContainText(
    sandboxIsPossible ? `can write only to ${desktop.project}` : 'not a security boundary',
  );
});
