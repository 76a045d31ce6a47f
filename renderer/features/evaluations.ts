/** The person's evaluations, from wherever they start: each has an entry in the transcript and an answer for its caller. */
import type { EvaluationReport, SourcePlace } from '#contract/evaluation.ts';
import { call, messageOf } from '../base/bridge.ts';
import { mirror } from '../base/mirror.ts';
import { transcript } from './repl/transcript-store.ts';

export interface EvaluationRequest {
  code: string;
  origin: 'repl' | 'editor';
  /** The package in which the code is read; null for the REPL's own. */
  package: string | null;
  source: SourcePlace | null;
}

/**
 * Evaluates in the person's context. The promise never rejects: a failure of the image to answer becomes a report of its
 * own.
 */
export async function evaluate(
  request: EvaluationRequest,
  evaluation: string = crypto.randomUUID(),
): Promise<EvaluationReport> {
  const { session } = mirror.getState();
  const shownPackage = request.package ?? session.package;
  transcript.begin({
    evaluation,
    code: request.code,
    origin: request.origin,
    package: shownPackage,
    at: Date.now(),
    place: request.source,
  });
  const report = await call('repl.evaluate', { evaluation, ...request }).catch((error: unknown) =>
    unanswered(evaluation, shownPackage, error),
  );
  transcript.finish(evaluation, report);
  return report;
}

export async function interrupt(evaluation: string | null): Promise<boolean> {
  return (await call('session.interrupt', { evaluation })).interrupted;
}

/** Has what an evaluation prints from now on counted only; false when it has ended. */
export async function stopPrinting(evaluation: string): Promise<boolean> {
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
