/** Answers for evaluations to which the image did not reply, and one-line summaries for lists. */
import type { ConditionRecord } from '#contract/image/condition.ts';
import type { EvaluationReport } from '#contract/image/evaluation.ts';
import { detached, onOneRow } from '#contract/text/text.ts';
import type { EvaluatedForm, OperationReply } from '#core/lisp/messages.ts';

/** The condition type for an image that ended before it answered. */
const IMAGE_LOST = 'LISP-WORKBENCH:IMAGE-LOST';

/** The condition type for an evaluation that was removed from the queue, or never entered it. */
export const NOT_EVALUATED = 'LISP-WORKBENCH:NOT-EVALUATED';

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
    outputTails: [],
    outputUnread: true,
    debugger: null,
    redoable: false,
    effects: [],
    effectsMore: 0,
  };
}

/** Returns the reply to a request of the worker's lane, other than an evaluation, whose image was lost. */
export function lostRun(message: string) {
  return {
    status: 'lost' as const,
    result: null,
    warnings: [],
    condition: lostCondition(message),
    timing: NO_TIME,
    outputCut: 0,
    outputTails: [],
    outputUnread: true,
    debugger: null,
    effects: [],
    effectsMore: 0,
  };
}

/** Returns the text on one line, cut to a maximum length. Spaces in strings and names stay. */
export function summarize(text: string): string {
  const line = onOneRow(text, { code: true });
  return line.length > SUMMARY_LIMIT ? `${detached(line.slice(0, SUMMARY_LIMIT - 1))}…` : line;
}

/** Returns the outcome of an evaluation on one line. */
export function summarizeReport(report: EvaluationReport): string {
  if (report.status === 'ok') return summarize(report.values.map(({ text }) => text).join(', ')) || 'no values';
  return report.condition ? summarize(`${report.condition.type}: ${report.condition.message}`) : report.status;
}

/** Returns the report of an evaluation from the image's reply. */
export function reportOf(
  evaluation: string,
  reply: OperationReply<'evaluate'> & { forms: EvaluatedForm[] },
): EvaluationReport {
  const { forms, redoable: _redoable, outputUnread: _unread, outputTails: _tails, ...rest } = reply;
  return { evaluation, ...rest, formCount: forms.length };
}

function lostCondition(message: string): ConditionRecord {
  return { type: IMAGE_LOST, message, frames: [], phase: 'limit', offset: null };
}
