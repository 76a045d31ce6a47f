/** What comes of a call, and the result that every door gets for it (X2, X16, X34–X36; decisions 17 and 26). Pure. */
import type { EffectRecord } from '#contract/effect.ts';
import type { SafetyLevel, ToolResult } from '#contract/tool.ts';
import type { Settlement } from '#core/approvals/request.ts';
import { messageOf } from '#core/error.ts';
import { summarize } from '#core/sessions/report.ts';
import type { ToolOutcome } from './tool.ts';

export interface Answer {
  readonly outcome?: ToolOutcome;
  readonly pending?: string;
  /** How it ends after this answer. */
  readonly later?: Promise<Settlement<ToolOutcome>>;
  readonly denied?: boolean;
  readonly approved?: boolean;
}

export function ran(outcome: ToolOutcome): Answer {
  return { outcome };
}

export function answerOf(settlement: Settlement<ToolOutcome>): Answer {
  return settlement.denied ? denial(settlement.reason) : { ...ran(settlement.outcome), approved: true };
}

export const NOT_DECIDED = 'a person has not decided yet. Nothing was run.';

export function effectWaits({ operator, target }: EffectRecord): string {
  return `your code waits inside ${operator} ${summarize(target)} until a person decides.`;
}

export function pending(id: string, what: string): Answer {
  const text = `Waiting for approval: ${what}\nHandle: ${id}\nCall await-approval with {"approval_id": "${id}"} to get the outcome. Do not send the call again and do not try another way; other work may go on meanwhile.`;
  return { pending: id, outcome: { success: true, text } };
}

export function denial(reason: string): Answer {
  return { denied: true, outcome: { success: false, text: `User denied tool execution: ${reason}` } };
}

export function errorAnswer(error: unknown): Answer {
  return { outcome: { success: false, text: `Tool error: ${messageOf(error)}` } };
}

export function resultOf(id: string, answer: Answer, level: SafetyLevel, took: number): ToolResult {
  const { success, text, structured } = answer.outcome!;
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
      metadata: { ...metadata, status: 'pending_approval', approval_id: answer.pending, approved: false },
    };
  if (answer.denied) return failure(id, text, { ...metadata, status: 'denied', approved: false });
  if (answer.approved) metadata.approved = true;
  const result = success ? { id, success, content: text, metadata } : failure(id, text, metadata);
  return structured ? { ...result, structured } : result;
}

/** X2, X35, X36; decision 17. */
export function failure(id: string, text: string, metadata: ToolResult['metadata']): ToolResult {
  return { id, success: false, content: text, error: text, metadata };
}
