/** The desktop: a window, Review and the transports around one workbench. It also closes all of them in the right order. */
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { app, nativeTheme, type WebContents } from 'electron';
import { workbenchCalls } from '#contract/rpc.ts';
import { messageOf } from '#core/base/error.ts';
import { findSources } from '#core/lisp/start/sources.ts';
import { stdioCommand } from '#core/clients/configuration/stdio-command.ts';
import { FileWatch } from '#core/project/files/file-watch.ts';
import { FolderWatch } from '#core/project/files/folder-watch.ts';
import { Project } from '#core/project/project.ts';
import { Deviations } from '#core/sessions/definitions/deviations.ts';
import type { Paths } from '#core/settings/paths.ts';
import { Workbench } from '#core/workbench.ts';
import type { Asked } from './window/asked-paths.ts';
import { workbenchHandlers } from './calls/calls.ts';
import { DesktopAgents } from './desktop-agents.ts';
import type { DesktopParts } from './desktop-parts.ts';
import { feedPage } from './feed/feed.ts';
import { watchKeys, type SharedKey } from './window/keys.ts';
import { installMenu } from './window/menu.ts';
import { notifyOfRequests } from './window/notifications.ts';
import { PageRecovery } from './window/page-recovery.ts';
import { PersonFiles } from './calls/person-files.ts';
import { Review } from './calls/review.ts';
import { DesktopServers, swankFrom } from './listeners/servers.ts';
import { WorkspaceStore } from './window/workspace-store.ts';
import { keepPlace } from './window/window-place.ts';
import type { OpenWindow } from './window/window.ts';

/** Keys that the main process receives first but the page's command table handles. */
const PAGE_COMMANDS = {
  'next-region': 'regions.next',
  'previous-region': 'regions.previous',
  palette: 'palette.open',
} as const;

/** The maximum time for closing, in milliseconds. After that, the process ends without closing the remaining parts. */
const CLOSE_MS = 20_000;
/**
 * How long, in milliseconds, a closing program waits for the page's last state. The time is long enough for a busy machine. It is limited
 * because a page that hangs never answers.
 */
const LAST_WORDS_MS = 5_000;

/** The maximum time, in milliseconds, that servers wait for the image after the page was drawn. */
const LONGEST_WAIT_MS = 400;

/** How long, in milliseconds, the page has to receive the event that the image is ready, and to show it. */
const TELLING_MS = 120;

export class Desktop {
  readonly #parts: DesktopParts;
  readonly #send: ReturnType<typeof feedPage>;
  #closing = false;
  readonly #recovery: PageRecovery;
  readonly #watch: FolderWatch;
  readonly #openFiles: FileWatch;

  private constructor(parts: DesktopParts) {
    this.#parts = parts;
    const { window, workbench, review, deviations } = parts;
    this.#send = feedPage(parts);
    this.#openFiles = new FileWatch((paths) =>
      this.#send('files-changed', { paths: [...paths], more: false, listing: false }),
    );
    const handlers = workbenchHandlers(parts, this.#send, this.#openFiles);
    parts.link.serve(workbenchCalls, handlers);
    this.#watch = new FolderWatch((change) => this.#send('files-changed', { ...change, paths: [...change.paths] }));
    const follow = (): void => void this.#watch.follow(workbench.project.root);
    follow();
    workbench.events.on('project-changed', () => {
      deviations.lookAgain();
      follow();
    });
    for (const contents of [window.webContents, review.contents])
      watchKeys(contents, (key) => this.#onKey(key, contents));
    this.#recovery = new PageRecovery(window);
    app.on('window-all-closed', () => app.quit());
    // Closing the window also ends the program, but only after the typed text has been saved.
    window.on('close', (event) => this.#quit(event));
    app.on('before-quit', (event) => this.#quit(event));
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => app.quit());
  }

  /** Opens the desktop around `opened`, whose page may still be loading. Returns null if that window was closed in the meantime. */
  static async open(paths: Paths, { folder, file }: Asked, opened: OpenWindow): Promise<Desktop | null> {
    const { window, link } = opened;
    const sources = findSources(app.isPackaged ? process.resourcesPath : import.meta.dirname);
    const own = path.dirname(sources);
    const workspace = new WorkspaceStore(paths.config);
    const project = await firstProject(folder, own);
    if (window.isDestroyed()) return null;
    const workbench = new Workbench({
      version: app.getVersion(),
      paths,
      project,
      sbcl: process.env['LISP_WORKBENCH_SBCL'] || null,
      sources,
      shared: true,
      environment: process.env,
      swank: swankFrom(process.env),
      buffers: () => workspace.buffers,
    });
    workbench.repls.restore(workspace.value.repls);
    nativeTheme.themeSource = workbench.settings.value.theme;
    installMenu(workbench.settings.value.keymap);
    workbench.events.on('settings-changed', ({ keymap }) => installMenu(keymap));
    const servers = new DesktopServers(workbench, paths);
    const files = new PersonFiles(window, workbench, paths.config);
    const parts: DesktopParts = {
      window,
      link,
      workbench,
      servers,
      hosted: new DesktopAgents(workbench, paths, () => workspace.buffers),
      review: new Review(window, workbench, workspace, link.drawn),
      files,
      workspace,
      place: keepPlace(window, paths.config),
      deviations: new Deviations({
        session: workbench.session,
        definitions: workbench.definitions,
        root: () => workbench.project.root,
        buffers: () => workspace.buffers,
      }),
      stdioCommand: stdioCommand({
        own,
        packaged: app.isPackaged,
        environment: process.env,
        platform: process.platform,
        arch: process.arch,
      }),
      pluginFolder: path.join(paths.state, 'plugin'),
    };
    workbench.alerts.watch('workspace', workspace.kept);
    workbench.alerts.watch('chosen-files', files.kept);
    notifyOfRequests(window, workbench, parts.review);
    const desktop = new Desktop(parts);
    link.onDropped((dropped) => {
      for (const each of dropped) desktop.#openFile(each);
    });
    const image = workbench.session.start().catch(() => {}); // ignored, because the window shows the error as the session's problem
    // Loading the transports blocks the main thread for a while, so the page is drawn first.
    await link.drawn;
    if (file !== null) desktop.#openFile(file);
    await Promise.race([image, setTimeout(LONGEST_WAIT_MS, undefined, { ref: false })]);
    await setTimeout(TELLING_MS, undefined, { ref: false });
    await servers.start();
    void workbench.checkAudit();
    void workbench.rememberProject();
    // Not awaited, because building a card may wait for the image, but the window must not.
    workbench.resume().catch((error: unknown) => process.stderr.write(`lisp-workbench: ${messageOf(error)}\n`));
    return desktop;
  }

  /** Brings this window to the front, and opens the folder or file with which the program was started a second time. */
  comeForward({ folder, file }: Asked): void {
    const { window, workbench } = this.#parts;
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (folder !== null)
      workbench
        .openProject(folder)
        .catch((error: unknown) => process.stderr.write(`lisp-workbench: ${messageOf(error)}\n`));
    if (file !== null) this.#openFile(file);
  }

  /**
   * Opens a file that was named outside the window. It counts as chosen by the person, like a file chosen in the dialog for opening files.
   */
  #openFile(file: string): void {
    void this.#parts.files.remember(file);
    void this.#parts.link.follows.then(() => this.#send('editing-wanted', { file, name: null }));
  }

  /** Closes the desktop. Denies waiting requests first, so that their clients are still informed of the reason. */
  async #close(): Promise<void> {
    const { workbench, servers, hosted, workspace, deviations } = this.#parts;
    deviations.dispose();
    void this.#watch.close();
    this.#openFiles.close();
    workbench.approvals.setApprover(null, 'The window was closed.');
    this.#recovery.end();
    if (!this.#recovery.lost) {
      const kept = workspace.lastKept(LAST_WORDS_MS);
      this.#send('closing', {});
      await kept;
    }
    // Agents are closed first, while the servers still run. This lets their conversations end with the answers that they have received.
    await hosted.close().catch(() => {});
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
    const failed = (why: string): void => void process.stderr.write(`lisp-workbench: Closing failed: ${why}\n`);
    // Closing the window must always work, even if a part hangs. When the process ends, its connections, images and agents end too.
    void setTimeout(CLOSE_MS).then(() => {
      failed(`it took more than ${CLOSE_MS / 1000} s.`);
      app.exit(1);
    });
    void this.#close()
      .catch((error: unknown) => failed(messageOf(error)))
      .then(() => {
        if (this.#recovery.lost) this.#parts.window.destroy(); // `destroy` is used, because `close` would ask the page for permission
        app.quit();
      });
  }
}

/**
 * Returns the project in the requested folder, or in the folder that the environment specifies. Returns no project if there is no such
 * folder or if it cannot be opened.
 */
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
