/** Steps through the code of a test image. */
import type { DebuggerRecord } from '#contract/image/debugger.ts';
import type { TestImage } from '#core/lisp/image.fixture.ts';

/** Steps from the place where code stopped. After the end of the code, `form` of the last step is undefined. */
export class Steps {
  readonly #test: TestImage;
  readonly #reply: Promise<unknown>;
  at: DebuggerRecord;
  /** The message in the reply to the last step; null if there was none. */
  note: string | null = null;

  constructor(test: TestImage, { reply, debugger: at }: { reply: Promise<unknown>; debugger: DebuggerRecord }) {
    this.#test = test;
    this.#reply = reply;
    this.at = at;
  }

  /** Takes a step. Resolves with the form at which it stopped, or with null if the evaluation ran to its end. */
  async take(kind: 'into' | 'over' | 'out'): Promise<string | null> {
    this.note = (await this.#test.ask('step', { debugger: this.at.id, kind })).note;
    return this.arrived();
  }

  async arrived(): Promise<string | null> {
    await this.#test.next('debugger-left');
    const next = this.#test.next('debugger-entered');
    const event = await Promise.race([next, this.#reply.then(() => null)]);
    if (event === null) return null;
    this.at = event.debugger;
    return event.debugger.step?.form ?? event.debugger.message;
  }

  /** Steps into forms until one begins with `head`. @throws Error if there is none. */
  async to(head: string): Promise<void> {
    const isThere = () => this.at.step?.form.startsWith(`(${head}`);
    while (!isThere()) if ((await this.take('into')) === null) throw new Error(`No step stopped at a form of ${head}.`);
  }
}
