/** The real desktop, with a home and a project of its own or shared with other stories. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test as base } from '@playwright/test';
import { Desktop } from './desktop.ts';
import { start } from './launch.ts';
import { SharedDesktop } from './shared-desktop.ts';
import { trust } from './trusted.ts';

interface LaunchOptions {
  /** Name of the project's folder; a random one when it does not matter. */
  readonly projectName?: string;
  readonly colorScheme?: 'light' | 'dark';
  readonly home?: string;
  readonly project?: string;
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  /** The person's trust in the project; false opens it as one that was never opened before. */
  readonly trusted?: boolean;
  /** Starts as a first start does, with no folder named; `project` is only a place for what the story makes. */
  readonly withoutFolder?: boolean;
}

interface Fixtures {
  /** Starts the program as the story wants it. */
  launch: (options?: LaunchOptions) => Promise<Desktop>;
  /** A launch for this story alone. */
  desktop: Desktop;
  /**
   * A launch that other stories had before, with a page, an image and a project that none of them has seen. For stories that do not look at
   * the home, at what happened since the start, or at anything else that outlives page and image.
   */
  sharedDesktop: Desktop;
}

export type Launch = Fixtures['launch'];

interface WorkerFixtures {
  shared: SharedDesktop;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  shared: [
    // Playwright wants the first argument destructured, even when nothing is taken from it.
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
