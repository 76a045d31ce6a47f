import { execFileSync } from 'node:child_process';
import { expect, test } from './fixture.ts';

/** Some containers let nobody make namespaces: there the image must not start, and say so. */
const possible = ((): boolean => {
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--unshare-net', '--unshare-pid', '--proc', '/proc', 'true']);
    return true;
  } catch {
    return false;
  }
})();

test('G7 the sandbox is chosen in Settings, takes effect with a restart, and the status bar tells of it', async ({
  desktop,
}) => {
  const { page } = desktop;
  const bar = desktop.region('Status bar');
  await expect(bar.getByRole('note', { name: 'guard on. ' })).toContainText(/^guard on$/);
  await page.keyboard.press('Control+,');
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const choice = settings.getByRole('radiogroup', { name: 'Run images in a sandbox' });
  await expect(choice.getByRole('radio', { name: 'Off' })).toBeChecked();
  await choice.getByText('On', { exact: true }).click();
  await expect(settings).toContainText('not in the sandbox yet');
  await settings.getByRole('button', { name: 'Restart Image…' }).click();
  await page.getByRole('alertdialog', { name: 'Restart the image?' }).getByRole('button', { name: 'Restart' }).click();
  await expect(possible ? bar : page.locator('body')).toContainText(
    possible ? 'guard on, sandboxed' : 'It was not started without',
  );
  const note = bar.getByRole('note', { name: possible ? `only ${desktop.project} can be written` : 'not a wall' });
  await expect(note).toHaveCount(1);
});
