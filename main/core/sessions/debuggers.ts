/** The debuggers in which an image's code is waiting: their records, the waiting actors, and the times at which the waits began. */
import type { DebuggerHead, DebuggerQuestion, DebuggerRecord, OpenDebuggers } from '#contract/image/debugger.ts';
import { knownActor } from '#contract/clients/known-actors.ts';
import type { Actor } from '#contract/image/session.ts';
import { detached, plural } from '#contract/text/text.ts';
import { WorkbenchError } from '#core/base/error.ts';
import { summarize } from './report.ts';
import type { TurnRequest } from './scheduler/run-queue.ts';

interface Open {
  readonly record: DebuggerRecord;
  readonly head: DebuggerHead;
  /** The waiting questions, innermost last; only the innermost is shown. */
  readonly questions: readonly DebuggerQuestion[];
}

/** The maximum number of characters of a condition's report in a list. */
const MESSAGE = 400;
/**
 * The number of evaluations that are remembered after their answer, because a held evaluation or one of its threads may enter the debugger
 * later.
 */
const REMEMBERED = 100;

type Known = Pick<DebuggerHead, 'actor' | 'summary'>;

export class Debuggers {
  /** Open debuggers by id, latest last. */
  readonly #open = new Map<string, Open>();
  readonly #evaluations = new Map<string, Known>();
  #gone: string | null = null;

  get records(): readonly DebuggerRecord[] {
    return [...this.#open.values()].map(({ record }) => record);
  }

  view(): OpenDebuggers {
    return { debuggers: [...this.#open.values()].map(({ head }) => head), gone: this.#gone };
  }

  /** Returns a debugger's record. Throws a WorkbenchError `not-found` if no code waits in this debugger any more. */
  find(id: string): DebuggerRecord {
    const open = this.#open.get(id);
    if (!open)
      throw new WorkbenchError('not-found', this.#gone ?? 'This debugger is closed: its code continued or was ended.');
    return open.record;
  }

  /** Records the start of an evaluation, whose code may enter the debugger. */
  began({ evaluation, actor, summary }: TurnRequest): void {
    this.#remember(evaluation, { actor, summary });
  }

  /**
   * Records a debugger that code has entered. `turn` is the turn of the debugger's evaluation; undefined if the evaluation was already
   * answered.
   */
  entered(record: DebuggerRecord, turn: TurnRequest | undefined): void {
    const { id, evaluation, held, thread, kind, level, type, steps, message } = record;
    const outer = [...this.#open.values()].find(({ head }) => head.evaluation === evaluation)?.head;
    const known = turn ?? outer ?? this.#evaluations.get(evaluation);
    const { actor, summary } = known ?? { actor: actorOf(record.actor), summary: '' };
    this.#gone = null;
    const told = {
      id,
      evaluation,
      held,
      thread,
      kind,
      level,
      type,
      steps,
      actor,
      summary,
      message: shortened(message),
    };
    const head = { ...told, since: Date.now(), proposals: [], question: null };
    this.#open.set(id, { record, head, questions: [] });
  }

  /** Records a question to the person from code that runs in a debugger. */
  asked(id: string, question: DebuggerQuestion): void {
    this.#changeQuestions(id, (before) => [...before, question]);
  }

  /**
   * Removes a question that no longer waits for an answer. Returns the evaluation if a restart asked the question; null if other code did.
   */
  answered(id: string, question: string): string | null {
    const open = this.#open.get(id);
    const asked = open?.questions.find((each) => each.id === question);
    this.#changeQuestions(id, (before) => before.filter((each) => each.id !== question));
    return open && asked && asked.restart !== null ? open.record.evaluation : null;
  }

  left(id: string): void {
    this.#open.delete(id);
  }

  /** Closes all debuggers, because the process has ended. Returns the ones that were open; `why` is a sentence about the end. */
  lose(why: string): readonly DebuggerRecord[] {
    const lost = this.records;
    this.#open.clear();
    this.#evaluations.clear();
    if (lost.length > 0) this.#gone = `${why} ${plural(lost.length, 'debugger')} ended with it.`;
    return lost;
  }

  #changeQuestions(id: string, change: (before: Open['questions']) => Open['questions']): void {
    const open = this.#open.get(id);
    if (!open) return;
    const questions = change(open.questions);
    this.#open.set(id, { ...open, questions, head: { ...open.head, question: questions.at(-1) ?? null } });
  }

  #remember(evaluation: string, known: Known): void {
    this.#evaluations.delete(evaluation);
    this.#evaluations.set(evaluation, known);
    const [oldest] = this.#evaluations.keys();
    if (this.#evaluations.size > REMEMBERED && oldest !== undefined) this.#evaluations.delete(oldest);
  }
}

function shortened(message: string): string {
  return message.length > MESSAGE ? `${detached(message.slice(0, MESSAGE - 1))}…` : message;
}

/** Creates an actor from its id, for an actor about which nothing else is known. */
function actorOf(id: string): Actor {
  return knownActor(id) ?? { id, kind: 'client', name: summarize(id.replace(/^client:/, '')) };
}
