/** The person's evaluations, from wherever they start: each has an entry in the transcript and an answer for who asked. */
import type { EvaluationReport, SourcePlace } from '#contract/evaluation.ts';
import { call, messageOf } from './bridge.ts';
import { mirror } from './mirror.ts';
import { transcript } from './panels/repl/transcript-store.ts';

export interface EvaluationRequest {
  code: string;
  origin: 'repl' | 'editor';
  /** Null: the REPL's own package. */
  package: string | null;
  source: SourcePlace | null;
}

/** Evaluates in the person's context. Never rejects: what kept the image from answering is a report of its own. */
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

function unanswered(evaluation: string, name: string, error: unknown): EvaluationReport {
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
