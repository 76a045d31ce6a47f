/**
 * Recovery of the page. After a crash, the page is loaded again with the typed text. If this does not help, or if the page hangs, the
 * person is asked in a system dialog, which does not need the page.
 */
import { app, dialog, type BrowserWindow } from 'electron';
import { onPageGone } from './page-gone.ts';

const CRASHES = 3;
const CRASHES_WITHIN_MS = 30_000;
/** The time, in milliseconds, within which a page that is loaded again must be ready. A page that takes longer counts as hanging. */
const LOAD_MS = 30_000;

const ANSWERS = ['Reload', 'Restart Lisp Workbench', 'Quit'] as const;
const HUNG_ANSWERS = [...ANSWERS, 'Wait'] as const;

export class PageRecovery {
  readonly #window: BrowserWindow;
  /** Times of crashes, in milliseconds of the monotonic clock. */
  #crashes: number[] = [];
  #asking: AbortController | null = null;
  #lost = false;
  #ended = false;
  #loading: NodeJS.Timeout | undefined;

  constructor(window: BrowserWindow) {
    this.#window = window;
    const { webContents: page } = window;
    onPageGone(page, () => this.#crashed());
    page.on('unresponsive', () => void this.#ask('hangs'));
    page.on('responsive', () => this.#asking?.abort());
    page.on('did-finish-load', () => this.#loaded());
  }

  /** True if the page can no longer answer. In that case, the program must not wait for its last state or its permission to close. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Stops recovery and closes open questions. Called when the program is ending. */
  end(): void {
    this.#ended = true;
    this.#asking?.abort();
    clearTimeout(this.#loading);
  }

  #loaded(): void {
    this.#lost = false;
    if (this.#loading === undefined) return;
    clearTimeout(this.#loading);
    this.#loading = undefined;
    this.#asking?.abort(); // the page was slow, but has loaded
  }

  #crashed(): void {
    if (this.#ended || this.#window.isDestroyed()) return;
    this.#lost = true;
    this.#asking?.abort(); // the question is outdated, because a page that has crashed no longer hangs
    clearTimeout(this.#loading);
    const now = performance.now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < CRASHES_WITHIN_MS), now];
    // Postponed until the event is handled, because otherwise the new process would start while Electron is still reporting the end of the
    // old one.
    if (this.#crashes.length <= CRASHES) setImmediate(() => this.#reload());
    else void this.#ask('crashed');
  }

  async #ask(what: 'hangs' | 'crashed'): Promise<void> {
    if (this.#ended || this.#asking !== null || this.#window.isDestroyed()) return;
    const asking = (this.#asking = new AbortController());
    const message =
      what === 'hangs'
        ? 'The window of Lisp Workbench is not responding.'
        : 'The window of Lisp Workbench keeps crashing.';
    process.stderr.write(`lisp-workbench: ${message}\n`);
    const buttons: readonly string[] = what === 'hangs' ? HUNG_ANSWERS : ANSWERS;
    const answer = await dialog.showMessageBox(this.#window, {
      type: 'error',
      title: 'Lisp Workbench',
      message,
      detail:
        'The image and the AI clients are still running, and your text was saved a few seconds ago. Reload the window; if that does not help, restart the program.',
      buttons: [...buttons],
      defaultId: 0,
      cancelId: what === 'hangs' ? 3 : 0,
      noLink: true,
      signal: asking.signal,
    });
    this.#asking = null;
    if (asking.signal.aborted || this.#ended || this.#window.isDestroyed()) return;
    const chosen = buttons[answer.response];
    if (chosen === 'Wait') return this.#loading === undefined ? undefined : this.#awaitLoad();
    if (chosen === 'Reload') return this.#loadAgain();
    this.#lost = true;
    if (chosen === 'Restart Lisp Workbench') app.relaunch();
    app.quit();
  }

  #loadAgain(): void {
    this.#crashes = [];
    const { webContents: page } = this.#window;
    if (page.isCrashed()) return this.#reload();
    // The process is killed, because a hanging page would ignore a reload, and might also hang when it is made to crash. The handler above
    // detects the end of the process.
    process.kill(page.getOSProcessId(), 'SIGKILL');
    this.#awaitLoad();
  }

  #reload(): void {
    if (this.#ended || this.#window.isDestroyed()) return;
    this.#window.webContents.reload();
    this.#awaitLoad();
  }

  #awaitLoad(): void {
    clearTimeout(this.#loading);
    this.#loading = setTimeout(() => void this.#ask('hangs'), LOAD_MS);
  }
}
