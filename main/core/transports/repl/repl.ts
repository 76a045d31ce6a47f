/**
 * A plain REPL and debugger, which reads lines and writes text (decision 25). It reads forms from its console, evaluates them through its
 * connection, and writes the same texts as SBCL's own REPL. It does not know where the lines come from or which actor it works for.
 */
import { randomUUID } from 'node:crypto';
import type { DebuggerRecord, RanInDebugger } from '#contract/image/debugger.ts';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { CODE_LIMIT } from '#contract/limits.ts';
import { messageOf } from '#core/base/error.ts';
import * as debugging from '#core/sessions/debugging.ts';
import { commandOf } from './debugger-command.ts';
import { DebuggerCommands } from './debugger-commands.ts';
import { FormReader } from './form-reader.ts';
import { LostWorkOffer } from './lost-work.ts';
import { OwnEvents, type Asking } from './own-events.ts';
import type { ReplConnection } from './repl-connection.ts';
import type { LineRequest, ReplConsole } from './repl-console.ts';
import { interruptForm, interruptRead, type RunningForm } from './repl-interrupts.ts';
import { ReplWriter } from './repl-writer.ts';
import { choicesText, conditionText, debuggerPrompt, headText, notice, valueText, warningText } from './repl-text.ts';

const PROMPT = '* ';

/** The exit code for a pipe whose last form could not be evaluated, or for which no image is found. */
const NOT_SERVED = 2;

export class Repl {
  readonly #connection: ReplConnection;
  readonly #console: ReplConsole;
  readonly #writer: ReplWriter;
  readonly #events: OwnEvents;
  readonly #reader = new FormReader();
  readonly #commands: DebuggerCommands;
  readonly #lostWork: LostWorkOffer | null;
  /** The form that is being evaluated at the top level; null if there is none. */
  #running: RunningForm | null = null;
  /** Ids of debuggers in which code is running that this REPL started. */
  readonly #busy = new Set<string>();
  /** The exit code for the process that runs this REPL in the foreground; null while it continues. */
  #exit: number | null = null;
  /** True if the last evaluation was lost with its image. */
  #lost = false;
  /** False if the last form was lost with its image, or if there was no image to evaluate it. */
  #served = true;
  #change = Promise.withResolvers<void>();

  constructor(connection: ReplConnection, console: ReplConsole) {
    this.#connection = connection;
    this.#console = console;
    this.#writer = new ReplWriter(console);
    this.#lostWork = connection.replays ? new LostWorkOffer(connection.session) : null;
    this.#commands = new DebuggerCommands(connection, {
      write: (text) => this.#say(text),
      run: (record, work) => this.#inDebugger(record, work),
      leave: async (record) => {
        await debugging.quit(connection.session, record.id);
        this.#events.leftAll(record);
      },
    });
    this.#events = new OwnEvents(connection.session, connection.alone, {
      printed: (text, stream) => this.#writer.print(text, stream),
      entered: (record) => {
        this.#writer.say(headText(record), 'trouble');
        this.#say(choicesText(record));
        const frame = this.#commands.frameOf(record);
        if (frame !== null) this.#say(`\n${frame}\n`);
        this.#changed();
      },
      changed: () => this.#changed(),
      imageChanged: (summary) => {
        // If a call is waiting for an answer, the answer will contain this message, so it is not reported here.
        if (!this.#lost && this.#running === null && this.#busy.size === 0) this.#notice(summary);
        this.#changed();
      },
    });
  }

  /** Reads, evaluates and prints until the input ends, the code exits, or {@link end} is called. Resolves with the exit code. */
  async run(): Promise<number> {
    try {
      while (this.#exit === null) await this.#turn();
      await this.#leaveDebuggers();
      await this.#console.flush();
      return this.#exit;
    } finally {
      this.#events.dispose();
      this.#connection.close();
    }
  }

  /** Ends the REPL, even if code is running. */
  end(code: number): void {
    this.#exit ??= code;
    this.#changed();
  }

  /**
   * Handles Ctrl-C. Running code enters the debugger, as in SBCL; if it cannot, it is ended. Code that runs in a debugger is ended. A
   * request for a line is cancelled. An incomplete form is discarded. Errors are reported, for example if the image has ended.
   */
  async interrupt(): Promise<void> {
    try {
      await this.#interrupt();
    } catch (error) {
      this.#notice(messageOf(error));
    }
  }

  async #interrupt(): Promise<void> {
    const { session } = this.#connection;
    const asking = this.#events.asking;
    const innermost = this.#events.debuggers.at(-1);
    if (asking) await interruptRead(session, asking);
    else if (innermost && this.#busy.has(innermost.id)) await session.interrupt(innermost.evaluation);
    else if (innermost || this.#running === null) this.#forgetBegun();
    else await this.#interruptForm(this.#running);
  }

  async #interruptForm(form: RunningForm): Promise<void> {
    const deaf = await interruptForm(this.#connection.session, form, () => this.#running === form);
    if (deaf) this.#notice('The code cannot be interrupted here. Interrupt again to end it.');
  }

  #forgetBegun(): void {
    this.#reader.clear();
    this.#say('');
    this.#changed();
  }

  async #turn(): Promise<void> {
    const asking = this.#events.asking;
    const innermost = this.#events.debuggers.at(-1);
    if (asking) return this.#answer(asking);
    if (innermost && !this.#busy.has(innermost.id)) return this.#debug(innermost);
    if (innermost || this.#running) return this.#change.promise;
    return this.#readForm();
  }

  async #readForm(): Promise<void> {
    const offer = this.#lostWork?.words() ?? null;
    if (offer !== null) this.#notice(offer);
    const piece = this.#reader.next(this.#console.hasLine);
    if (piece !== null) return this.#evaluate(piece);
    const { begun } = this.#reader;
    const line = await this.#line(begun ? '' : PROMPT, 'form');
    if (line === null) return this.#inputEnded();
    const done = begun || line === CALLED_OFF ? null : ((await this.#lostWork?.perform(line).catch(messageOf)) ?? null);
    if (done === null) this.#add(line);
    else this.#notice(done);
  }

  /** Adds a line to the form. Refuses a form that is longer than any that a person would type. */
  #add(line: string | typeof CALLED_OFF): void {
    if (line === CALLED_OFF) return;
    if (this.#reader.text.length + line.length > CODE_LIMIT) {
      this.#reader.clear();
      this.#notice(`The form was ignored, because it is longer than ${CODE_LIMIT} characters. Load it from a file.`);
    } else this.#reader.add(line);
  }

  #inputEnded(): void {
    const left = this.#reader.clear().trim();
    if (left !== '') this.#notice('The last form was not evaluated, because the input ended before the form did.');
    this.#exit ??= this.#served || this.#console.isTerminal ? 0 : NOT_SERVED;
  }

  /** Reads a line. Returns null at the end of the input, or {@link CALLED_OFF} if another task must be done first. */
  async #line(prompt: string, reads: LineRequest['reads']): Promise<string | null | typeof CALLED_OFF> {
    const stop = new AbortController();
    const change = this.#change.promise.then(() => stop.abort());
    const begun = reads === 'line' ? '' : this.#reader.text;
    const request = { prompt, fresh: !this.#writer.prompted, reads, begun };
    this.#writer.prompt(prompt);
    try {
      const line = await this.#console.readLine(request, stop.signal);
      this.#writer.lineRead();
      return line;
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      await change;
      return CALLED_OFF;
    }
  }

  #evaluate(code: string): void {
    const evaluation = randomUUID();
    this.#events.began(evaluation);
    this.#writer.done();
    this.#lost = false;
    this.#running = { evaluation, stopping: false };
    void this.#connection
      .evaluate(evaluation, code)
      .then(
        async (report) => {
          const shown = await this.#events.takeShown();
          if (shown !== '') this.#say(shown);
          this.#report(report, code);
        },
        (error: unknown) => {
          this.#served = false;
          this.#notice(messageOf(error));
        },
      )
      .finally(() => {
        this.#events.ended(evaluation);
        this.#running = null;
        this.#changed();
      });
  }

  #report(report: EvaluationReport, code: string): void {
    const { status, values, condition, outputCut } = report;
    if (this.#exit !== null) return; // not reported if the REPL has already ended
    this.#lost = status === 'lost';
    this.#served = !this.#lost;
    if (condition && this.#goesOn(condition, code)) return;
    if (outputCut > 0) this.#notice(`… ${outputCut} more characters were printed.`);
    this.#writer.warn(warningText(report));
    if (status === 'ok') this.#values(values);
    else if (condition?.type === 'EXIT' && this.#connection.alone) this.end(exitCode(condition.message));
    else this.#failed(status, condition);
  }

  #failed(status: EvaluationReport['status'], condition: EvaluationReport['condition']): void {
    if (condition?.type === 'ABORT') this.#notice('Aborted.');
    else if (condition && status !== 'interrupted') this.#writer.say(conditionText(condition), 'trouble');
    else this.#notice('Interrupted.');
  }

  #values(values: EvaluationReport['values']): void {
    for (const value of values) this.#say(`${valueText(value)}\n`);
  }

  /**
   * Returns true if the image's reader needs more text than the standard syntax requires. In that case, puts the form back, so that it gets
   * more lines until the user enters an empty one.
   */
  #goesOn({ phase, type }: NonNullable<EvaluationReport['condition']>, code: string): boolean {
    if (phase !== 'reader' || type !== 'END-OF-FILE' || /\n[ \t\r]*$/.test(code)) return false;
    this.#reader.putBack(code);
    return true;
  }

  async #debug(record: DebuggerRecord): Promise<void> {
    const names = record.restarts.map(({ name }) => name);
    const rest = this.#reader.peekLine();
    const command = rest.trim() === '' ? null : commandOf(rest, names);
    if (command) {
      this.#reader.takeLine();
      this.#writer.done();
      return this.#commands.perform(record, command);
    }
    const piece = this.#reader.next(this.#console.hasLine);
    if (piece !== null) {
      this.#writer.done();
      return this.#commands.perform(record, { do: 'evaluate', form: piece });
    }
    const prompt = this.#reader.begun ? '' : debuggerPrompt(record.level);
    const line = await this.#line(prompt, this.#reader.begun ? 'form' : 'command');
    if (line !== null) this.#add(line);
    else if (this.#console.isTerminal) await this.#commands.perform(record, { do: 'abort' });
    else this.#inputEnded();
  }

  /** Runs `work` in a debugger, and reports the outcome when it has ended. Before that, `work` may enter other debuggers. */
  #inDebugger({ id, evaluation }: DebuggerRecord, work: () => Promise<RanInDebugger>): void {
    this.#busy.add(id);
    void work()
      .then(
        async ({ left, result, note }) => {
          const shown = await this.#events.takeShown();
          if (shown !== '') this.#say(shown);
          if (note !== null) this.#notice(note);
          if (left) this.#events.left(id);
          if (left || !result) return;
          const { status, values, condition } = result;
          if (status === 'ok') this.#values(values);
          else this.#failed(status, condition);
        },
        (error: unknown) => {
          if (this.#running?.evaluation !== evaluation || this.#events.debuggers.some((each) => each.id === id))
            this.#notice(messageOf(error));
        },
      )
      .finally(() => {
        this.#busy.delete(id);
        this.#changed();
      });
  }

  /** Passes a line to the code that is reading one: the remainder of the last line, or the next line. */
  async #answer(asking: Asking): Promise<void> {
    this.#writer.takeAsPrompt();
    const left = asking.kind === 'input' || asking.question.restart === null ? this.#reader.takeLine() : null;
    const line = left ?? (await this.#line('', 'line'));
    if (line === CALLED_OFF) return;
    const taken = await (asking.kind === 'input'
      ? this.#answerInput(asking, line)
      : this.#answerQuestion(asking, line));
    if (!taken && line !== null) this.#add(line); // the code that read the line was ended in the meantime
  }

  #answerInput({ evaluation }: Asking & { kind: 'input' }, line: string | null): Promise<boolean> {
    this.#events.answered(evaluation);
    return this.#connection.session.answerInput(evaluation, line).then(
      () => true,
      () => false,
    );
  }

  async #answerQuestion(
    { debugger: id, question }: Asking & { kind: 'question' },
    line: string | null,
  ): Promise<boolean> {
    const told = this.#change.promise;
    const { found } = await debugging
      .answer(this.#connection.session, { debugger: id, question: question.id, text: line, cancel: line === null })
      .catch(() => ({ found: false }));
    if (found) await told; // wait until the end of the question is reported
    return found;
  }

  async #leaveDebuggers(): Promise<void> {
    for (const { id } of this.#events.debuggers.toReversed())
      await debugging.quit(this.#connection.session, id).catch(() => {}); // ignored, because it may already have been left with an inner debugger
  }

  #say(text: string): void {
    this.#writer.say(text);
  }

  /** Writes a sentence of the REPL itself. */
  #notice(text: string): void {
    this.#writer.say(notice(text), 'notice');
  }

  #changed(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }
}

/** The result of a read that was cancelled. */
const CALLED_OFF = Symbol('called off');

/** Returns the exit code from the image's message about its end. */
function exitCode(message: string): number {
  return Number(/exit code (-?\d+)/.exec(message)?.[1] ?? 0) & 255;
}
