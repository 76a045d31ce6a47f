/**
 * Brings the page back: one that crashed is loaded again with what was typed; where that does not help, or the page hangs,
 * the person is asked in a dialog of the system, which needs no page.
 */
import { app, dialog, type BrowserWindow } from 'electron';
import { onPageGone } from './page-gone.ts';

const CRASHES = 3;
const CRASHES_WITHIN_MS = 30_000;
/** A page that is loaded again and has not come up by then is taken for one that hangs. */
const LOAD_MS = 30_000;

const ANSWERS = ['Reload', 'Restart Lisp Workbench', 'Quit'] as const;
const HUNG_ANSWERS = [...ANSWERS, 'Wait'] as const;

export class PageRecovery {
  readonly #window: BrowserWindow;
  /** Times of crashes, monotonic. */
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

  /** The page cannot answer any more: nobody should wait for its last words, or for its leave to close. */
  get lost(): boolean {
    return this.#lost;
  }

  /** The program ends: nothing is brought back, and nobody is asked. */
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
    this.#asking?.abort(); // it was slow, and came up after all
  }

  #crashed(): void {
    if (this.#ended || this.#window.isDestroyed()) return;
    this.#lost = true;
    this.#asking?.abort(); // a page that hung and is gone hangs no more
    clearTimeout(this.#loading);
    const now = performance.now();
    this.#crashes = [...this.#crashes.filter((at) => now - at < CRASHES_WITHIN_MS), now];
    // Not within the event: the process that is loaded into would begin while the end of the old one is still being told.
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
    // A page that hangs would not hear of loading, and one that is asked to crash may hang in that, too. Its end is heard above.
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
