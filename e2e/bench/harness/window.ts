/** The program with its window, for measurements in its page. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { display } from './display.ts';
import { ROOT, script, temporaryFolder } from './setup.ts';

/** Builds the pages if their sources changed, and opens the program on its own project. */
export async function openWindow(
  scope: AsyncDisposableStack,
): Promise<{ app: ElectronApplication; page: Page; project: string }> {
  const { createReport } = await script('report.mjs');
  await (await script('build.mjs')).build(createReport(process.stderr, { quiet: true }));
  const home = await temporaryFolder(scope, 'home');
  const project = await temporaryFolder(scope, 'project');
  await mkdir(path.join(home, 'config'), { mode: 0o700 });
  const { ELECTRON_RUN_AS_NODE: _asNode, ...inherited } = process.env;
  const app = await _electron.launch({
    executablePath: (await script('electron-runtime.mjs')).electronRuntime().executable,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ROOT, project],
    cwd: ROOT,
    env: {
      ...(inherited as Record<string, string>),
      ...(await display(scope)),
      LISP_WORKBENCH_HOME: home,
      LISP_WORKBENCH_TEST: '1',
      HTTP_PORT: '0',
    },
  });
  scope.defer(() => app.close());
  await app.firstWindow();
  const page = app.windows().find((each) => each.url().startsWith('app://workbench/')) ?? (await app.firstWindow());
  await page.waitForSelector('[aria-label="REPL"]');
  return { app, page, project };
}
