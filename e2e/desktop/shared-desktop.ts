/**
 * The desktop launch that the stories of one worker of the test runner share, because a launch costs more than most stories. Each story
 * gets a newly loaded page, a fresh image and a new project. If a story leaves anything else changed, the next story gets a new launch.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { emptyWorkspace } from '../../main/contract/settings.ts';
import { Desktop } from './desktop.ts';
import { start } from './launch.ts';
import { trust } from './trusted.ts';

/** The maximum number of stories per launch. It is limited because the launch's activity, audit and recent folders grow with each story. */
const MOST_STORIES = 12;

interface Open {
  readonly desktop: Desktop;
  /** The traits of the launch before its first story. */
  readonly pristine: Traits;
  readonly stories: number;
}

type Traits = Awaited<ReturnType<typeof traitsOf>>;

export class SharedDesktop {
  readonly #made: string[] = [];
  #open: Open | null = null;

  /**
   * Returns the desktop with its image, in the state it has after a launch. Reuses the previous stories' desktop if that can be restored to
   * this state.
   */
  async afresh(): Promise<Desktop> {
    const open = this.#open;
    if (open !== null && open.stories < MOST_STORIES) {
      try {
        const desktop = await broughtBack(open, await this.#folder('project-'));
        this.#open = { ...open, stories: open.stories + 1 };
        return desktop;
      } catch (error) {
        process.stderr.write(
          `The desktop is not as it was after its launch, and is launched again: ${String(error)}\n`,
        );
      }
    }
    await this.close();
    return this.#launched();
  }

  /** Hides the window, so that another launch gets the display and the focus. */
  async stepAside(): Promise<void> {
    const hidden = this.#open?.desktop.app.evaluate(({ BrowserWindow }) => {
      for (const each of BrowserWindow.getAllWindows()) each.hide();
    });
    await hidden?.catch(() => this.close()); // a story may have closed it
  }

  async close(): Promise<void> {
    await this.#open?.desktop.close().catch(() => {}); // a story may have closed it
    this.#open = null;
    for (const each of this.#made.splice(0)) await rm(each, { recursive: true, force: true, maxRetries: 5 });
  }

  async #launched(): Promise<Desktop> {
    const [home, project] = [await this.#folder('home-'), await this.#folder('project-')];
    await trust(home, project);
    const { app, page } = await start({ home, project, first: hearFirst });
    const desktop = new Desktop(app, page, home, project);
    if (!(await page.evaluate(() => 'hearsFirst' in window && window.hearsFirst))) {
      // A page that opened while the script was being registered does not run the script, so the page is loaded again.
      await page.addInitScript(hearFirst);
      await reload(page);
    }
    await desktop.imageReady();
    this.#open = { desktop, pristine: await traitsOf(desktop), stories: 1 };
    return desktop;
  }

  async #folder(prefix: string): Promise<string> {
    const fresh = await mkdtemp(path.join(tmpdir(), prefix));
    this.#made.push(fresh);
    return fresh;
  }
}

/**
 * Runs in each page before its own scripts. A page saves its state when it is closed, and the next page would start from that state. After
 * the event `leaving-for-good`, this script therefore hides the closing from the page.
 */
function hearFirst(): void {
  // In a page that has already loaded, the test runner calls this function at once, which is too late.
  Object.defineProperty(window, 'hearsFirst', { value: document.readyState === 'loading' });
  let leaving = false;
  window.addEventListener('leaving-for-good', () => (leaving = true));
  for (const end of ['blur', 'pagehide', 'visibilitychange'])
    window.addEventListener(end, (event) => leaving && event.stopImmediatePropagation(), { capture: true });
}

/**
 * Restores the launch for another story, and returns the desktop with another page, image and project. @throws if the launch has changed in
 * a way that only another launch can undo.
 */
async function broughtBack({ desktop: { app, page, home }, pristine }: Open, project: string): Promise<Desktop> {
  const desktop = new Desktop(app, page, home, project);
  await page.evaluate(
    async ({ folder, settings, repls }) => {
      const { call } = window.workbench;
      const { clients, session, ...now } = await call('app.snapshot', {});
      for (const { id } of clients) await call('clients.revoke', { id });
      for (const { id } of now.repls) if (!repls.includes(id)) await call('repl.close', { repl: id });
      await call('review.show', { open: false });
      await call('settings.change', settings);
      await call('project.open', { path: folder });
      await call('project.trust', {});
      await call('session.restart', {});
      await call('image.dismissLost', { image: session.id });
    },
    { folder: project, settings: pristine.settings, repls: pristine.repls.map(([id]) => id!) },
  );
  await app.evaluate(
    ({ BrowserWindow, clipboard }, bounds) => {
      clipboard.clear();
      for (const [index, each] of BrowserWindow.getAllWindows().entries()) {
        if (!each.isVisible()) each.show();
        each.setBounds(bounds[index]!);
      }
    },
    pristine.windows.map(({ bounds }) => bounds),
  );
  await reload(page);
  await desktop.imageReady();
  await expect.poll(() => traitsOf(desktop), { timeout: 5_000, intervals: [50] }).toEqual(pristine);
  return desktop;
}

/** Reloads the page, with no text open and the layout of a first start. */
async function reload(page: Page): Promise<void> {
  await page.evaluate(async (workspace) => {
    window.dispatchEvent(new Event('leaving-for-good'));
    // The page's timers would save its state after a while, so they are stopped too.
    const latest = Number(setTimeout(() => {}));
    window.setTimeout = (() => 0) as unknown as typeof window.setTimeout;
    for (let timer = 1; timer <= latest; timer += 1) clearTimeout(timer);
    await window.workbench.call('workspace.keep', workspace);
  }, emptyWorkspace);
  // An element is not notified of a pointer that is already over it, so the pointer is moved away first.
  await page.mouse.move(0, 0);
  await page.reload();
  await page.waitForSelector('[aria-label="REPL"]');
}

/** Returns the traits of a launch that outlive the page, the image and the project, except for data that only grows. */
async function traitsOf({ app, page }: Desktop) {
  const windows = await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((each) => ({
      bounds: each.getBounds(),
      zoom: each.webContents.getZoomFactor(),
      focused: each.isFocused(),
    })),
  );
  const all = await page.evaluate(() => window.workbench.call('app.snapshot', {}));
  const { version: _, recentProjects: __, ...settings } = all.settings;
  const { session, workspace } = all;
  return {
    windows,
    settings,
    image: { state: session.state, lost: session.lost, package: session.package, sandbox: session.sandbox !== null },
    suspended: [...session.suspended, ...session.effects, ...session.waiting].length,
    texts: workspace.buffers.length,
    tour: workspace.tour,
    clients: [...all.clients, ...all.admissions].length,
    approvals: { waiting: all.waitingApprovals, open: all.reviewOpen, granted: all.granted.length },
    problems: all.problems,
    alerts: all.alerts.map(({ id }) => id),
    definitions: { unreviewed: all.unreviewed, deviations: all.deviations },
    debuggers: all.debuggers.debuggers.length,
    repls: all.repls.map(({ id, package: current }) => [id, current]),
    images: all.images.length,
    breakpoints: all.breakpoints,
    loads: all.loads,
  };
}
