/** The installed desktop in a minimal Debian. The ordinary user starts it, and the tests drive it from outside. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { killTree, treeOf } from '../desktop/process-tree.ts';
import { type BareDebian, PERSON } from './bare-debian.ts';

export const PROJECT = `${PERSON.home}/project`;

export class InstalledDesktop {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #process: ChildProcessWithoutNullStreams;

  private constructor(page: Page, browser: Browser, process: ChildProcessWithoutNullStreams) {
    this.page = page;
    this.#browser = browser;
    this.#process = process;
  }

  /** Starts the installed command on the person's project, and waits until its image is ready. */
  static async start(debian: BareDebian): Promise<InstalledDesktop> {
    const env = { ...(await debian.display()), LISP_WORKBENCH_TEST: '1', HTTP_PORT: '0' };
    const process = debian.start(['lisp-workbench', PROJECT, '--remote-debugging-port=0'], env);
    process.stdout.resume();
    const address = await debuggingAddress(process);
    // Tries several times. On a busy machine the program creates several pages, and a page that is still being created may leave a
    // connection unanswered.
    let browser!: Browser;
    await expect(async () => {
      browser = await chromium.connectOverCDP(address, { timeout: 30_000 });
    }).toPass({ timeout: 150_000 });
    const find = (): Page | undefined =>
      browser
        .contexts()
        .flatMap((context) => context.pages())
        .find((page) => page.url().startsWith('app://workbench/'));
    await expect.poll(() => find() !== undefined).toBe(true);
    const page = find()!;
    await expect(page.getByRole('region', { name: 'REPL', exact: true })).toBeVisible();
    await expect
      .poll(() => page.evaluate(async () => (await window.workbench.call('app.snapshot', {})).session.state))
      .toBe('idle');
    return new InstalledDesktop(page, browser, process);
  }

  /** Evaluates code at the REPL as a person does. */
  async repl(code: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'REPL input' }).click();
    await this.page.keyboard.insertText(code);
    await this.page.keyboard.press('Control+Enter');
  }

  /** Returns the program's processes, each with its command line and its Linux status, which includes its privileges. */
  processes(): { command: string; status: string }[] {
    return treeOf(this.#process.pid!).flatMap((id) => {
      try {
        const command = readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ command, status: readFileSync(`/proc/${id}/status`, 'utf8') }];
      } catch {
        return []; // the process has ended in the meantime
      }
    });
  }

  /** Kills the program, regardless of its state. */
  kill(): void {
    killTree(this.#process.pid!);
  }

  /** Closes the window with the menu's command. */
  async close(): Promise<void> {
    const ended = once(this.#process, 'exit');
    await this.page.close({ runBeforeUnload: true });
    await ended;
    await this.#browser.close();
  }
}

/** Returns the address of the program's DevTools, which it prints on standard error. */
function debuggingAddress(process: ChildProcessWithoutNullStreams): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    process.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-8000);
      const address = /DevTools listening on (ws:\S+)\s/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    process.on('exit', (code) => reject(new Error(`The program ended with exit code ${code}: ${said}`)));
  });
}
