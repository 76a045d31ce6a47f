/**
 * The events of an image that concern the evaluations of one REPL: their output, their requests for input, and the debuggers in which they
 * wait.
 */
import type { DebuggerQuestion, DebuggerRecord } from '#contract/image/debugger.ts';
import { messageOf } from '#core/base/error.ts';
import type { Session } from '#core/sessions/session.ts';
import { inspectionText, notice } from './repl-text.ts';

/** A request for a line: from an evaluation, or from code that runs in a debugger. */
export type Asking =
  | { readonly kind: 'input'; readonly evaluation: string }
  | { readonly kind: 'question'; readonly debugger: string; readonly question: DebuggerQuestion };

export interface OwnEventListener {
  printed(text: string, stream: 'stdout' | 'stderr'): void;
  entered(record: DebuggerRecord): void;
  /** Called when a request for input begins or ends, or when a debugger has been left. */
  changed(): void;
  /** Called when the image ended or was replaced. */
  imageChanged(summary: string): void;
}

const NEXT_IMAGE = 'The next form is evaluated in a new image, without the earlier definitions and systems.';
/** The maximum number of parts of an object that INSPECT shows. */
const MOST_PARTS = 30;
/** The number of ended evaluations whose output is still shown, because their threads may be running. */
const REMEMBERED = 1000;

export class OwnEvents {
  readonly #session: Session;
  readonly #alone: boolean;
  readonly #own = new Set<string>();
  readonly #stops: (() => void)[];
  /** Descriptions of objects that code inspected, in order. */
  #shown: Promise<string>[] = [];
  #debuggers: readonly DebuggerRecord[] = [];
  /** Evaluations that are waiting for an input line, the latest last. */
  #reading: readonly string[] = [];

  /** With `alone`, the output of the image's process itself is also shown. */
  constructor(session: Session, alone: boolean, listener: OwnEventListener) {
    this.#session = session;
    this.#alone = alone;
    const { events } = session;
    this.#stops = [
      events.on('output', ({ evaluation, stream, text }) => {
        if (stream === 'input' || !this.#shows(evaluation)) return;
        listener.printed(text, stream === 'stderr' ? 'stderr' : 'stdout');
      }),
      events.on('input-requested', ({ evaluation }) => {
        if (!this.#own.has(evaluation)) return;
        this.#reading = [...this.#reading, evaluation];
        listener.changed();
      }),
      events.on('debugger-entered', (record) => {
        if (!this.#own.has(record.evaluation)) return;
        this.#debuggers = [...this.#debuggers, record];
        listener.entered(record);
      }),
      events.on('debugger-left', ({ debugger: id }) => {
        this.left(id);
        listener.changed();
      }),
      events.on('inspection-wanted', ({ evaluation, handle }) => {
        if (this.#own.has(evaluation)) this.#shown.push(this.#inspect(evaluation, handle));
      }),
      events.on('editing-wanted', ({ file, name }) => {
        const what = file ?? name;
        if (alone)
          this.#shown.push(
            Promise.resolve(
              notice(`ED cannot open an editor here${what === null ? '' : `: open ${what} in your own`}.`),
            ),
          );
      }),
      events.on('debugger-question', () => listener.changed()),
      events.on('lifecycle', ({ change, summary }) => {
        if (change === 'checkpoint' || change === 'started') return;
        this.#reading = [];
        const said = summary.replace(/\.?$/, '.');
        listener.imageChanged(change === 'ended' ? `${said} ${NEXT_IMAGE}` : said);
      }),
    ];
  }

  /** Records that an evaluation of the REPL is beginning. */
  began(evaluation: string): void {
    this.#own.add(evaluation);
    const [oldest] = this.#own;
    if (this.#own.size > REMEMBERED && oldest !== undefined) this.#own.delete(oldest);
  }

  ended(evaluation: string): void {
    this.#reading = this.#reading.filter((each) => each !== evaluation);
  }

  /** Records that an evaluation's request for input was answered. */
  answered(evaluation: string): void {
    this.ended(evaluation);
  }

  /** Records that a debugger was left, or is being left. */
  left(id: string): void {
    this.#debuggers = this.#debuggers.filter((record) => record.id !== id);
  }

  /** Records that all levels of a debugger are being left. */
  leftAll({ evaluation, thread }: DebuggerRecord): void {
    this.#debuggers = this.#debuggers.filter((each) => each.evaluation !== evaluation || each.thread !== thread);
  }

  /** The open debuggers, the latest last. */
  get debuggers(): readonly DebuggerRecord[] {
    return this.#debuggers;
  }

  /** The current request for a line. A request from code in the innermost debugger has priority. */
  get asking(): Asking | null {
    const own = new Set(this.#debuggers.map(({ id }) => id));
    const head = this.#session.openDebuggers.debuggers.findLast(({ id, question }) => own.has(id) && question !== null);
    if (head?.question) return { kind: 'question', debugger: head.id, question: head.question };
    const evaluation = this.#reading.at(-1);
    return evaluation === undefined ? null : { kind: 'input', evaluation };
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
  }

  /** Resolves with descriptions of the objects that were inspected since the last call. */
  async takeShown(): Promise<string> {
    const shown = this.#shown;
    this.#shown = [];
    return (await Promise.all(shown)).join('');
  }

  async #inspect(evaluation: string, handle: number): Promise<string> {
    const holder = `repl ${evaluation}`;
    const page = { view: null, offset: 0, limit: MOST_PARTS, holder, package: null };
    try {
      return inspectionText(await this.#session.lookUp('inspect', { handle, ...page }));
    } catch (error) {
      return notice(messageOf(error));
    } finally {
      this.#session.tell('release', { holder });
      // The object is not released if others use the image, because the person may be inspecting it too.
      if (this.#alone) this.#session.tell('release', { holder: evaluation });
    }
  }

  #shows(evaluation: string | null): boolean {
    return evaluation === null ? this.#alone : this.#own.has(evaluation);
  }
}
