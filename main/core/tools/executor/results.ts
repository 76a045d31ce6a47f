/**
 * The outcome of a call, and the result that is sent for the call, which is identical on all transports (X2, X16, X34–X36; decisions 17 and
 * 26). Pure.
 */
import type { Effect } from '#contract/decisions/effect.ts';
import type { SafetyLevel, ToolResult } from '#contract/clients/tool.ts';
import type { Settlement } from '#core/approvals/request.ts';
import { maskTokens } from '#core/base/tokens.ts';
import { messageOf } from '#core/base/error.ts';
import { summarize } from '#core/sessions/report.ts';
import { NotFound, type ToolOutcome } from '../tool.ts';

export interface Answer {
  readonly outcome?: ToolOutcome;
  readonly pending?: string;
  /** True if `pending` means that the call is still running; false if it means that the call is waiting for a person. */
  readonly running?: boolean;
  /** Resolves with the outcome of a pending call. */
  readonly settled?: Promise<Settlement<ToolOutcome>>;
  readonly denied?: boolean;
  readonly approved?: boolean;
}

export function ran(outcome: ToolOutcome): Answer {
  return { outcome };
}

export function answerOf(settlement: Settlement<ToolOutcome>): Answer {
  return settlement.denied
    ? denial(settlement.reason, settlement.by === undefined)
    : { ...ran(settlement.outcome), ...(settlement.unasked ? {} : { approved: true }) };
}

export const NOT_DECIDED = 'a person has not decided yet. Nothing has run.';

export function effectWaits({ operator, target }: Effect<'waiting'>): string {
  return `your code is waiting inside ${operator} ${summarize(target)} until a person decides.`;
}

export function pending(id: string, what: string): Answer {
  const text = `Waiting for approval: ${what}\nHandle: ${id}\nCall await-approval with {"approval_id": "${id}"} to get the outcome. Do not send the call again and do not try another way; you can do other work until then.`;
  return { pending: id, outcome: { success: true, text } };
}

export interface StillRunning {
  /** The id with which the call can be interrupted. */
  readonly evaluation: string;
  readonly seconds: number;
  /** The output since the previous report. */
  readonly output: string;
  /** ASDF's progress, such as `Compiling 43 of 130, ironclad/src/cast5`; null if ASDF is not working for the call. */
  readonly step: string | null;
  /** A description of the evaluation that the call must wait for; null if the call has begun. */
  readonly behind: string | null;
}

export function running(id: string, { evaluation, seconds, output, step, behind }: StillRunning): Answer {
  const how =
    behind === null
      ? `Still running after ${seconds} s, and it continues.`
      : `Not started after ${seconds} s: it is queued behind ${behind}.`;
  const text = [
    `${how} Do not send the call again.`,
    `Handle: ${id}`,
    `Call await-approval with {"approval_id": "${id}"} to get the outcome, or interrupt-evaluation with {"evaluation": "${evaluation}"} to stop it.`,
    ...(step === null ? [] : [step]),
    ...(output === '' ? [] : ['', '[Output so far]', output]),
  ].join('\n');
  return { pending: id, running: true, outcome: { success: true, text } };
}

/**
 * Returns a denial. `byPerson` is true if a person denied the call, and false if a rule or a deadline did, or if there is no person to ask.
 */
export function denial(reason: string, byPerson: boolean): Answer {
  const head = byPerson ? 'User denied tool execution' : 'Not approved';
  return { denied: true, outcome: { success: false, text: `${head}: ${reason}` } };
}

/** Appends the notices that do not belong to the call itself: threads that failed since the last call, then changes of the image. */
export function withNotices(answer: Answer, image: string | null, threadFailures: string): Answer {
  const { outcome } = answer;
  if (!outcome || (image === null && threadFailures === '')) return answer;
  const threads = threadFailures === '' ? '' : `\n\n[threads]\n${threadFailures}`;
  return {
    ...answer,
    outcome: { ...outcome, text: `${outcome.text}${threads}${image === null ? '' : imageSection(image)}` },
  };
}

const IMAGE_HEAD = '\n\n[image]\n';

/** Returns the section about image changes that the call did not cause. */
export function imageSection(notice: string): string {
  return `${IMAGE_HEAD}${notice}`;
}

/** Returns the section about the image from a stored answer; empty if the answer has none. */
export function imageSectionOf(text: string): string {
  const [, ...sections] = text.split(IMAGE_HEAD);
  return sections.length === 0 ? '' : `${IMAGE_HEAD}${sections.at(-1)}`;
}

export function errorAnswer(error: unknown): Answer {
  const text = error instanceof NotFound ? error.message : `Tool error: ${messageOf(error)}`;
  return { outcome: { success: false, text } };
}

export function resultOf(id: string, answer: Answer, level: SafetyLevel, took: number): ToolResult {
  const outcome = answer.outcome!;
  const { success } = outcome;
  const text = maskTokens(outcome.text);
  const structured = outcome.structured && maskTokens(outcome.structured);
  const metadata: ToolResult['metadata'] = {
    execution_time_ms: Math.round(took * 100) / 100,
    safety_level: level,
    status: success ? 'done' : 'failed',
  };
  if (answer.pending !== undefined)
    return {
      id,
      success,
      content: text,
      metadata: answer.running
        ? { ...metadata, status: 'running', approval_id: answer.pending }
        : { ...metadata, status: 'pending_approval', approval_id: answer.pending, approved: false },
    };
  if (answer.denied) return failure(id, text, { ...metadata, status: 'denied', approved: false });
  if (answer.approved) metadata.approved = true;
  const result = success ? { id, success, content: text, metadata } : failure(id, text, metadata);
  return structured ? { ...result, structured } : result;
}

/** Returns the result of a failed call. Its text doubles as the error message (X2, X35, X36; decision 17). */
export function failure(id: string, text: string, metadata: ToolResult['metadata']): ToolResult {
  return { id, success: false, content: text, error: text, metadata };
}
