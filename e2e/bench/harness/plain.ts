/** A plain SBCL that answers line by line on its pipe. It is the lower bound for an image of the workbench. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import type { Runtime } from '#core/lisp/start/runtime.ts';
import { heapMegabytes } from './setup.ts';

/** A loop that echoes each line. */
export const ECHO = '(loop (write-line (or (read-line *standard-input* nil) (sb-ext:exit))) (finish-output))';
/** A loop that answers each form with its value. */
export const READ_EVAL_PRINT = '(loop (prin1 (eval (read))) (terpri) (finish-output))';

/** The flags of a plain SBCL: it has the memory of a workbench image, and does not load the person's init files. */
export const plainFlags = [
  '--noinform',
  '--dynamic-space-size',
  `${heapMegabytes}MB`,
  '--control-stack-size',
  '16MB',
  '--no-sysinit',
  '--no-userinit',
  '--disable-debugger',
];

/** The maximum number of characters of the current answer that are stored. */
const TAIL = 500;

export class PlainLisp {
  readonly #child: ChildProcessWithoutNullStreams;
  #said = '';
  #awaited: { readonly end: string; readonly answer: PromiseWithResolvers<string> } | null = null;

  /** `forms` are evaluated in order; the last one is the loop that answers. The process ends with `scope`. */
  constructor(
    { sbcl }: Runtime,
    scope: AsyncDisposableStack,
    forms: readonly string[],
    environment: NodeJS.ProcessEnv = {},
    directory = tmpdir(),
  ) {
    this.#child = spawn(sbcl.path, [...plainFlags, ...forms.flatMap((form) => ['--eval', form])], {
      cwd: directory,
      env: { ...process.env, ...environment },
    });
    this.#child.stdin.on('error', () => {}); // a failed write is ignored, because the event `close` reports the end
    this.#child.stderr.resume();
    this.#child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    const closed = once(this.#child, 'close').then(() =>
      this.#awaited?.answer.reject(new Error('The plain SBCL ended before it answered.')),
    );
    scope.defer(async () => {
      this.#child.kill('SIGKILL');
      await closed;
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /**
   * Sends a line and returns the last line of the answer. The answer is complete when it ends with `end`; its earlier lines are discarded.
   */
  async ask(line: string, end = '\n'): Promise<string> {
    this.#said = '';
    const answer = Promise.withResolvers<string>();
    this.#awaited = { end, answer };
    this.#child.stdin.write(`${line}\n`);
    try {
      return (await answer.promise).trimEnd().split('\n').at(-1)!;
    } finally {
      this.#awaited = null;
    }
  }

  #receive(chunk: Buffer): void {
    this.#said = (this.#said + chunk.toString('latin1', Math.max(0, chunk.length - TAIL))).slice(-TAIL);
    if (this.#awaited && this.#said.endsWith(this.#awaited.end)) this.#awaited.answer.resolve(this.#said);
  }
}

export function expect(got: string | undefined, wanted: string): void {
  if (got !== wanted) throw new Error(`Expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}.`);
}
