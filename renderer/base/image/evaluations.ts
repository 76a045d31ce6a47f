/** The person's evaluations, from wherever they start: each has an entry in the transcript and an answer for its caller. */
import type { EvaluationReport, SourcePlace } from '#contract/image/evaluation.ts';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { Session } from '#contract/image/session.ts';
import { call, messageOf } from '../bridge.ts';
import { ownText } from '../text/own-text.ts';
import { packageOf, shownRepl } from './active-repl.ts';
import { transcript } from './transcript-store.ts';
import { makeStore } from '../store.ts';

/** Counts the evaluations of the person that have ended, with the code of the last: a quick one is over before the window sees it running. */
export const [ended] = makeStore<{ readonly count: number; readonly code: string | null }>({
  count: 0,
  code: null,
});

export interface EvaluationRequest {
  code: string;
  origin: 'repl' | 'editor';
  /** The package in which the code is read; null for the REPL's own. */
  package: string | null;
  source: SourcePlace | null;
  /** The REPL in which it is evaluated. Left out: the one that is shown, and the first one for what stands in a text. */
  repl?: string;
}

/**
 * Evaluates in the person's context. The promise never rejects: a failure of the image to answer becomes a report of its
 * own.
 */
export async function evaluate(
  request: EvaluationRequest,
  evaluation: string = crypto.randomUUID(),
): Promise<EvaluationReport> {
  const repl = shownRepl(undefined, request.repl ?? (request.origin === 'editor' ? FIRST_REPL : undefined));
  const shownPackage = request.package ?? packageOf(repl);
  transcript.begin(
    {
      evaluation,
      code: ownText(request.code),
      origin: request.origin,
      package: shownPackage,
      at: Date.now(),
      place: request.source,
    },
    repl.id,
  );
  const report = await call('repl.evaluate', { evaluation, ...request, repl: repl.id }).catch((error: unknown) =>
    unanswered(evaluation, shownPackage, error),
  );
  transcript.finish(evaluation, report);
  ended.setState(({ count }) => ({ count: count + 1, code: request.code }));
  return report;
}

export async function interrupt(evaluation: string): Promise<boolean> {
  return (await call('session.interrupt', { evaluation })).interrupted;
}

/** Stops what an image runs, or else what waits in it last; false when there was nothing to stop. */
export async function interruptImage({ running, suspended }: Pick<Session, 'running' | 'suspended'>): Promise<boolean> {
  const underway = running ?? suspended.at(-1);
  return underway !== undefined && interrupt(underway.evaluation);
}

/** The latest evaluations whose printing the person has stopped: the wish shows at once, however much is still on its way. */
const [quieted, useStored] = makeStore<{ readonly evaluations: readonly string[] }>({ evaluations: [] });
const QUIETED_KEPT = 20;

export function useIsQuieted(evaluation: string): boolean {
  return useStored(({ evaluations }) => evaluations.includes(evaluation));
}

/** Has what an evaluation prints from now on counted only; false when it has ended. */
export async function stopPrinting(evaluation: string): Promise<boolean> {
  quieted.setState(({ evaluations }) => ({ evaluations: [...evaluations, evaluation].slice(-QUIETED_KEPT) }));
  return (await call('output.stop', { evaluation })).stopped;
}

/** The report of an evaluation that the image could not be asked for, or did not answer. */
export function unanswered(evaluation: string, name: string, error: unknown): EvaluationReport {
  return {
    evaluation,
    status: 'lost',
    values: [],
    warnings: [],
    condition: { type: 'NO ANSWER', message: messageOf(error), frames: [], phase: 'limit', offset: null },
    package: name,
    formCount: 0,
    timing: { realMs: 0, runMs: 0, gcMs: 0, bytesConsed: 0 },
    outputCut: 0,
    effects: [],
    effectsMore: 0,
  };
}
