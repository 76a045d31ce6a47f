/** The real desktop for stories. It is either launched for one story, with its own home and project, or shared with other stories. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test as base } from '@playwright/test';
import { Desktop } from './desktop.ts';
import { start } from './launch.ts';
import { SharedDesktop } from './shared-desktop.ts';
import { trust } from './trusted.ts';

interface LaunchOptions {
  /** The name of the project's folder; a random name if omitted. */
  readonly projectName?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly home?: string;
  readonly project?: string;
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  /** True if the person trusts the project; false if the project is opened as untrusted. */
  readonly trusted?: boolean;
  /** True to start without a folder, like a first start. `project` is then only a place for the story's files. */
  readonly withoutFolder?: boolean;
}

interface Fixtures {
  /** Starts the program with the story's options. */
  launch: (options?: LaunchOptions) => Promise<Desktop>;
  /** A launch for this story only. */
  desktop: Desktop;
  /**
   * A launch that other stories have used before, with a fresh page, image and project. It is for stories that do not examine the home, the
   * events since the start, or other things that outlive the page and the image.
   */
  sharedDesktop: Desktop;
}

export type Launch = Fixtures['launch'];

interface WorkerFixtures {
  shared: SharedDesktop;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  shared: [
    // Playwright requires a destructured first argument, even if it is not used.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, give) => {
      const shared = new SharedDesktop();
      await give(shared);
      await shared.close();
    },
    { scope: 'worker' },
  ],
  launch: async ({ shared }, give) => {
    const open: Desktop[] = [];
    const made: string[] = [];
    const folder = async (prefix: string): Promise<string> => {
      const fresh = await mkdtemp(path.join(tmpdir(), prefix));
      made.push(fresh);
      return fresh;
    };
    await give(async ({ home, project, projectName, colorScheme, env, args, trusted, withoutFolder } = {}) => {
      await shared.stepAside();
      const parent = project ?? (await folder('project-'));
      const root = projectName === undefined ? parent : path.join(parent, projectName);
      await mkdir(root, { recursive: true });
      const ownHome = home ?? (await folder('home-'));
      if (trusted !== false && !withoutFolder) await trust(ownHome, root);
      const options = { ...(env ? { env } : {}), ...(args ? { args } : {}), ...(colorScheme ? { colorScheme } : {}) };
      const { app, page } = await start({ home: ownHome, project: withoutFolder ? null : root, ...options });
      const desktop = new Desktop(app, page, ownHome, root);
      open.push(desktop);
      return desktop;
    });
    for (const desktop of open) await desktop.close().catch(() => {}); // a test may have closed it
    for (const each of made) await rm(each, { recursive: true, force: true, maxRetries: 5 });
  },
  desktop: async ({ launch }, give) => {
    const desktop = await launch();
    await desktop.imageReady();
    await give(desktop);
  },
  sharedDesktop: async ({ shared }, give) => {
    await give(await shared.afresh());
  },
});

export { expect };
export { Desktop, type Agent } from './desktop.ts';
