/** Stories about a folder that is opened for the first time: the person can look at it, and none of its code runs until they trust it. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from '../../desktop/fixture.ts';

test('An untrusted folder is listed and not loaded, no client does anything, and one click ends that for good [K7]', async ({
  launch,
}) => {
  const home = await mkdtemp(path.join(tmpdir(), 'home-'));
  const project = await mkdtemp(path.join(tmpdir(), 'project-'));
  const ran = path.join(project, 'ran');
  await mkdir(path.join(project, 'lib'));
  await writeFile(
    path.join(project, 'lib', 'shop.asd'),
    `(with-open-file (s "${ran}" :direction :output :if-exists :supersede) (print :ran s))\n(defsystem "shop")\n`,
  );
  try {
    const desktop = await launch({ home, project, trusted: false });
    await desktop.imageReady();
    const bar = desktop.page.getByRole('status', { name: 'Trust' });
    await expect(bar).toContainText('is not trusted.');
    const agent = await desktop.agent('codex');
    expect((await agent.call('evaluate-lisp', { code: '1' })).text).toMatch(/is not trusted/);
    await desktop.page.getByRole('button', { name: 'Systems', exact: true }).click();
    await desktop.page.getByRole('searchbox', { name: 'Systems filter' }).fill('shop');
    await expect(desktop.region('Systems').getByRole('option', { name: 'shop' })).toBeVisible();
    await expect(stat(ran)).rejects.toThrow(/ENOENT/);
    await desktop.page.getByRole('button', { name: 'Trust this folder' }).click();
    await expect(bar).toHaveCount(0);
    expect((await agent.call('evaluate-lisp', { code: '(+ 1 2)' })).text).toBe('=> 3');
    await desktop.close();

    const again = await launch({ home, project, trusted: false });
    await again.imageReady();
    await expect(again.page.getByRole('status', { name: 'Trust' })).toHaveCount(0);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
    await rm(project, { recursive: true, force: true, maxRetries: 5 });
  }
});
