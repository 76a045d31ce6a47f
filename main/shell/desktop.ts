/** The desktop: a window, Review and the doors around one workbench; closes all of them in the right order. */
import { homedir } from 'node:os';
import path from 'node:path';
import { app, nativeTheme, session as electronSession, type WebContents } from 'electron';
import { workbenchCalls } from '#contract/rpc.ts';
import { messageOf } from '#core/error.ts';
import { findSources } from '#core/lisp/sources.ts';
import { Project } from '#core/project/project.ts';
import { Deviations } from '#core/sessions/deviations.ts';
import type { Places } from '#core/settings/places.ts';
import { Workbench } from '#core/workbench.ts';
import { workbenchHandlers, type DesktopParts } from './calls.ts';
import { feedPage } from './feed.ts';
import { serveCalls } from './ipc.ts';
import { watchKeys, type SharedKey } from './keys.ts';
import { installMenu } from './menu.ts';
import { notifyOfRequests } from './notifications.ts';
import { PersonFiles } from './person-files.ts';
import { Review } from './review.ts';
import { serveScheme } from './scheme.ts';
import { Servers } from './servers.ts';
import { WorkspaceStore } from './workspace-store.ts';
import { denyPermissions, openWindow } from './window.ts';

/** Keys that main sees first and the page's command table answers. */
const PAGE_COMMANDS = {
  'next-region': 'regions.next',
  'previous-region': 'regions.previous',
  palette: 'palette.open',
} as const;

/** How long a closing program waits for the page's last state. */
const LAST_WORDS_MS = 1_000;
const CRASHES = 3;
const CRASHES_WITHIN_MS = 30_000;

export class Desktop {
  readonly #parts: DesktopParts;
  readonly #send: ReturnType<typeof feedPage>;
  #closing = false;
  #crashes: number[] = [];

  private constructor(parts: DesktopParts) {
    this.#parts = parts;
    const { window, workbench, review, deviations } = parts;
    serveCalls('workbench', workbenchCalls, workbenchHandlers(parts), () => window.webContents, 'app://workbench');
    this.#send = feedPage(parts);
    workbench.events.on('project-changed', () => deviations.lookAgain());
    for (const contents of [window.webContents, review.contents])
      watchKeys(contents, (key) => this.#onKey(key, contents));
    window.webContents.on('render-process-gone', () => this.#reload());
    app.on('window-all-closed', () => app.quit());
    // The window is the program: closing it ends it the same way, with what was typed kept first.
    window.on('close', (event) => this.#quit(event));
    app.on('before-quit', (event) => this.#quit(event));
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => app.quit());
    workbench.session.start().catch(() => {}); // shown in the window as the session's problem
  }

  static async open(places: Places, folder: string | null): Promise<Desktop> {
    serveScheme();
    denyPermissions(electronSession.defaultSession);
    installMenu();
    const sources = findSources(app.isPackaged ? process.resourcesPath : import.meta.dirname);
    const own = path.dirname(sources);
    const workspace = new WorkspaceStore(places.config);
    const workbench = new Workbench({
      version: app.getVersion(),
      places,
      project: await firstProject(folder, own),
      sbcl: process.env['LISP_WORKBENCH_SBCL'] || null,
      sources,
      shared: true,
      environment: process.env,
      buffers: () => workspace.buffers,
    });
    nativeTheme.themeSource = workbench.settings.value.theme;
    const { window, place } = openWindow(places.config);
    const servers = new Servers(workbench, places.socket);
    const files = new PersonFiles(window, workbench, places.config);
    const parts: DesktopParts = {
      window,
      workbench,
      servers,
      review: new Review(window, workbench, workspace),
      files,
      workspace,
      place,
      deviations: new Deviations({
        session: workbench.session,
        definitions: workbench.definitions,
        root: () => workbench.project.root,
        buffers: () => workspace.buffers,
      }),
      stdioCommand: stdioCommand(own),
    };
    workbench.alerts.watch('workspace', workspace.kept);
    workbench.alerts.watch('chosen-files', files.kept);
    notifyOfRequests(window, workbench, parts.review);
    const desktop = new Desktop(parts);
    await servers.start();
    void workbench.checkAudit();
    // Building a card may wait for the image; the window does not.
    workbench.resume().catch((error: unknown) => process.stderr.write(`lisp-workbench: ${messageOf(error)}\n`));
    return desktop;
  }

  /** A second start hands over its folder and shows this window instead. */
  comeForward(folder: string | null): void {
    const { window, workbench } = this.#parts;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (folder !== null)
      workbench
        .openProject(folder)
        .catch((error: unknown) => process.stderr.write(`lisp-workbench: ${messageOf(error)}\n`));
  }

  /** A page that crashed comes back with what was typed; one that crashes again and again is left alone. */
  #reload(): void {
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < CRASHES_WITHIN_MS), now];
    if (this.#crashes.length <= CRASHES) this.#parts.window.webContents.reload();
    else process.stderr.write('lisp-workbench: the page crashed again and again; start the program anew.\n');
  }

  /** What waits is denied first, so that its clients still hear why. */
  async #close(): Promise<void> {
    const { workbench, servers, workspace, deviations } = this.#parts;
    deviations.dispose();
    workbench.approvals.setApprover(null, 'The window was closed.');
    const kept = workspace.nextKept(LAST_WORDS_MS);
    this.#send('closing', {});
    await kept;
    await Promise.allSettled([servers.close(), workspace.settled()]);
    await workbench.dispose();
  }

  #onKey(key: SharedKey, heardBy: WebContents): boolean {
    const { window, workbench, review } = this.#parts;
    if (key === 'next-request') {
      if (workbench.approvals.view().waiting.length === 0 && review.open) review.show(false);
      else if (heardBy === review.contents) review.next();
      else review.focus();
      return true;
    }
    if (key === 'stop-agents') {
      workbench.agents.stopAll().then(
        (paused) => this.#send('agents-stopped', { paused }),
        (error: unknown) => process.stderr.write(`lisp-workbench: ${messageOf(error)}\n`),
      );
      return true;
    }
    window.webContents.focus();
    this.#send('command-invoked', { command: PAGE_COMMANDS[key] });
    return true;
  }

  #quit(event: { preventDefault: () => void }): void {
    if (this.#closing) return;
    event.preventDefault();
    this.#closing = true;
    void this.#close().then(() => app.quit());
  }
}

/** The folder that was asked for, else the last one; none when it cannot be opened. */
async function firstProject(folder: string | null, own: string): Promise<Project> {
  const wanted = folder ?? (process.env['LISP_WORKBENCH_PROJECT'] || null);
  if (wanted === null || [homedir(), own, path.parse(wanted).root].includes(path.resolve(wanted))) return Project.none;
  try {
    return await Project.open(wanted);
  } catch (error) {
    process.stderr.write(`lisp-workbench: ${messageOf(error)}\n`);
    return Project.none;
  }
}

/** What a client runs to speak MCP over stdio with this desktop. */
function stdioCommand(own: string): string[] {
  if (app.isPackaged) return ['lisp-workbench', 'mcp'];
  return ['npm', '--prefix', own, 'run', '-s', 'cli', '--', 'mcp'];
}
