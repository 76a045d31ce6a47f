/** The person's test runs in the shared image, and the latest result of each test in that image, whoever ran it. */
import type { ShownTestResult } from '#contract/image/testing.ts';
import { PERSON } from '#contract/clients/known-actors.ts';
import { plural } from '#contract/text/text.ts';
import type { ActivityDetails } from '../activity/details.ts';
import type { ActivityStream } from '../activity/stream.ts';
import { Emitter } from '../base/emitter.ts';
import type { OperationReply } from '../lisp/messages.ts';
import { summarize } from '../sessions/report.ts';
import type { Session } from '../sessions/session.ts';

/** The maximum number of output characters that are stored with a test's result. */
const OUTPUT = 100_000;

interface PersonTestsEvents {
  started: { evaluation: string; test: string };
  finished: ShownTestResult;
}

export interface TestRun {
  readonly tests: readonly string[];
  readonly debug: boolean;
  /** The title of the run in the activity. */
  readonly title: string;
  readonly evaluation: string;
}

interface PersonTestsParts {
  readonly session: Session;
  readonly activity: ActivityStream;
  readonly details: () => ActivityDetails;
  readonly outputLimit: () => number;
  readonly onError: () => 'debug' | 'report';
}

export class PersonTests {
  readonly events = new Emitter<PersonTestsEvents>();
  readonly #parts: PersonTestsParts;
  readonly #results = new Map<string, ShownTestResult>();
  /** The output since the last result of each run, and the number of characters that were cut. */
  readonly #printed = new Map<string, { text: string; cut: number }>();

  constructor(parts: PersonTestsParts) {
    this.#parts = parts;
    const { events } = parts.session;
    // A new image, or an image that went back to an earlier state, has different tests and does not hold the values.
    events.on('lifecycle', ({ change }) => {
      if (change !== 'checkpoint') this.#results.clear();
    });
    events.on('output', ({ evaluation, text }) => {
      const printed = evaluation === null ? undefined : this.#printed.get(evaluation);
      if (!printed) return;
      const kept = text.slice(0, OUTPUT - printed.text.length);
      printed.text += kept;
      printed.cut += text.length - kept.length;
    });
    events.on('test-started', (started) => {
      if (this.#printed.has(started.evaluation)) this.events.emit('started', started);
    });
    // Results of clients' runs are shown too, without the output, which is in the activity.
    events.on('test-finished', (result) => {
      const printed = this.#printed.get(result.evaluation);
      if (printed) this.#printed.set(result.evaluation, { text: '', cut: 0 });
      const shown = { ...result, output: printed?.text ?? '', outputCut: printed?.cut ?? 0 };
      this.#results.set(result.test, shown);
      this.events.emit('finished', shown);
    });
  }

  /** Returns the tests of the running image with their latest results; null if no image is running. */
  async list() {
    const listed = await this.#parts.session.lookUpIfUp('tests', {});
    return listed && { ...listed, results: [...this.#results.values()] };
  }

  /** Reads the definitions of the project's systems, and returns the tested ones. Returns null if no image is running. */
  async systems(evaluation: string) {
    const { session, onError } = this.#parts;
    if (session.view().pid === null) return null;
    const who = { evaluation, actor: PERSON, context: PERSON.id, onError: onError() } as const;
    const { reply } = await session.run('tested-systems', who, {}, 'tested systems of the project');
    return { status: reply.status, condition: reply.condition, systems: reply.result?.systems ?? [] };
  }

  /**
   * Queues tests and runs them as an evaluation of the person when their turn comes. Returns null if no image is running. Errors become
   * results, unless `debug` makes them wait in the debugger.
   */
  async run({ tests, debug, title, evaluation }: TestRun) {
    const { session, activity, details, outputLimit } = this.#parts;
    if (session.view().pid === null) return null;
    const of = { actor: PERSON, session: session.id, evaluation };
    activity.publish({ kind: 'evaluation-started', ...of, code: summarize(title), origin: 'tests' });
    details().began(evaluation, title, session.view().package);
    const started = performance.now();
    this.#printed.set(evaluation, { text: '', cut: 0 });
    const who = { evaluation, actor: PERSON, context: PERSON.id, onError: debug ? 'debug' : 'report' } as const;
    const asked = { ...who, streamedOutput: outputLimit() };
    try {
      const { reply } = await session.run('run-tests', asked, { tests: [...tests], debug }, title);
      activity.publish({
        kind: 'evaluation-finished',
        ...of,
        status: reply.status,
        summary: summaryOf(reply),
        tookMs: performance.now() - started,
      });
      return { status: reply.status, condition: reply.condition, missing: reply.result?.missing ?? [] };
    } finally {
      this.#printed.delete(evaluation);
    }
  }
}

/** Describes the outcome of a run in one line for the activity. */
function summaryOf({ status, result, condition }: OperationReply<'run-tests'>): string {
  if (result === null)
    return status === 'interrupted' ? 'Stopped.' : (condition?.message ?? 'The image did not answer.');
  const total = result.counts.reduce((sum, { count }) => sum + count, 0);
  const parts = result.counts.map(({ outcome, count }) => `${count} ${outcome}`);
  return `${plural(total, 'test')}: ${parts.join(', ')}`;
}
