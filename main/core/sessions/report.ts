/** Answers for evaluations that got none from their image, and the one-line summaries that lists show. */
import type { ConditionRecord } from '#contract/condition.ts';
import type { EvaluationReport } from '#contract/evaluation.ts';
import type { OperationReply } from '#core/lisp/messages.ts';

/** The condition type that stands for "the image ended before it answered". */
export const IMAGE_LOST = 'LISP-WORKBENCH:IMAGE-LOST';

const NO_TIME = { realMs: 0, runMs: 0, gcMs: 0, bytesConsed: 0 };
const SUMMARY_LIMIT = 120;

export function lostEvaluation(message: string, currentPackage: string): OperationReply<'evaluate'> {
  return {
    status: 'lost',
    values: [],
    warnings: [],
    condition: lostCondition(message),
    forms: [],
    package: currentPackage,
    timing: NO_TIME,
    outputCut: 0,
    debugger: null,
    effects: [],
    effectsMore: 0,
  };
}

/** The answer to any other request of the worker's lane. */
export function lostRun(message: string) {
  return {
    status: 'lost' as const,
    result: null,
    warnings: [],
    condition: lostCondition(message),
    timing: NO_TIME,
    outputCut: 0,
    debugger: null,
    effects: [],
    effectsMore: 0,
  };
}

/** The first line that says something, cut to a row. */
export function summarize(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SUMMARY_LIMIT ? `${line.slice(0, SUMMARY_LIMIT - 1)}…` : line;
}

/** What came of an evaluation, on one line. */
export function summarizeReport(report: EvaluationReport): string {
  if (report.status === 'ok') return summarize(report.values.map(({ text }) => text).join(', ')) || 'no values';
  return report.condition ? summarize(`${report.condition.type}: ${report.condition.message}`) : report.status;
}

function lostCondition(message: string): ConditionRecord {
  return { type: IMAGE_LOST, message, frames: [], phase: 'limit', offset: null };
}
