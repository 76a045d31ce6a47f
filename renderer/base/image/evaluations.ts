/** The person's evaluations from all parts of the window. Each gets an entry in the transcript and returns a report to its caller. */
import type { EvaluationReport, SourcePlace } from '#contract/image/evaluation.ts';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import type { Session } from '#contract/image/session.ts';
import { call, messageOf } from '../bridge.ts';
import { ownText } from '../text/own-text.ts';
import { packageOf, shownRepl } from './active-repl.ts';
import { transcript } from './transcript-store.ts';
import { makeStore } from '../store.ts';

/**
 * Counts the person's evaluations that have ended, and stores the code of the last one, because a quick evaluation ends before the window
 * sees it running.
 */
export const [ended] = makeStore<{ readonly count: number; readonly code: string | null }>({
  count: 0,
  code: null,
});

export interface EvaluationRequest {
  code: string;
  origin: 'repl' | 'editor';
  /** The package in which the code is read; null for the REPL's own package. */
  package: string | null;
  source: SourcePlace | null;
  /**
   * The REPL in which the code is evaluated. If omitted, code from a text is evaluated in the first REPL and other code in the visible one.
   */
  repl?: string;
}

/**
 * Evaluates code in the person's context. The promise never rejects: if the image does not answer, it resolves to a report of the failure.
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

/** Stops the running evaluation of an image or, if there is none, the latest suspended one. Returns false if there was nothing to stop. */
export async function interruptImage({ running, suspended }: Pick<Session, 'running' | 'suspended'>): Promise<boolean> {
  const underway = running ?? suspended.at(-1);
  return underway !== undefined && interrupt(underway.evaluation);
}

/** The latest evaluations whose output the person has muted. Muting takes effect immediately, even if much output is still on its way. */
const [quieted, useStored] = makeStore<{ readonly evaluations: readonly string[] }>({ evaluations: [] });
const QUIETED_KEPT = 20;

export function useIsQuieted(evaluation: string): boolean {
  return useStored(({ evaluations }) => evaluations.includes(evaluation));
}

/** Mutes the rest of an evaluation's output, which is then only counted. Returns false if the evaluation has ended. */
export async function stopPrinting(evaluation: string): Promise<boolean> {
  quieted.setState(({ evaluations }) => ({ evaluations: [...evaluations, evaluation].slice(-QUIETED_KEPT) }));
  return (await call('output.stop', { evaluation })).stopped;
}

/** Returns the report of an evaluation for which the image could not be reached or did not answer. */
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
