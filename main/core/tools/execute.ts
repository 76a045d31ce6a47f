/**
 * The one way through for every tool call (DESIGN rule 2): look up, check, level, policy, approval, run, answer. A list of
 * calls in, a list of results out; ids are kept, success excludes error, and nothing is thrown past here (X34–X38).
 */
import type { ClientMode } from '#contract/client.ts';
import type { Actor } from '#contract/session.ts';
import type { SafetyLevel, ToolCall, ToolResult } from '#contract/tool.ts';
import { fingerprint } from '#core/approvals/fingerprint.ts';
import { decide, type ClientPolicy, type PolicyRequest, type Verdict } from '#core/approvals/policy.ts';
import type { ApprovalQueue } from '#core/approvals/queue.ts';
import type { ApprovalRecord } from '#core/approvals/records.ts';
import type { Approved, Settlement } from '#core/approvals/request.ts';
import type { RuleBook } from '#core/approvals/rules.ts';
import { WorkbenchError } from '#core/error.ts';
import type { OpenBuffer } from '#core/project/buffers.ts';
import type { KeptFiles } from '#core/project/kept-files.ts';
import type { Project } from '#core/project/project.ts';
import type { Session } from '#core/sessions/session.ts';
import {
  answerOf,
  denial,
  effectWaits,
  errorAnswer,
  failure,
  NOT_DECIDED,
  pending,
  ran,
  resultOf,
  type Answer,
} from './answers.ts';
import { approvalRequestOf } from './ask.ts';
import { awaitApproval } from './await-approval.ts';
import { LongReplies } from './long-replies.ts';
import { ParkedRuns } from './parked-runs.ts';
import { checkArguments, findTool } from './registry.ts';
import { levelOf, levelOfCall, type Tool, type ToolContext, type ToolOutcome } from './tool.ts';

/** Who stands behind a call and how long it may be kept waiting. */
export interface Caller {
  readonly actor: Actor;
  readonly context: string;
  readonly session: Session;
  readonly shared: boolean;
  readonly policy: ClientPolicy;
  /** Milliseconds that a call may be held for a person before it is answered with a handle. */
  readonly holdMs: number;
  /** Fires when the caller cancels. */
  readonly signal: AbortSignal;
  /** Fires when nobody is there any more to take the answer, though nobody cancelled. */
  readonly left?: AbortSignal;
}

export type Phase = 'before' | 'after' | 'error';

export interface HookCall {
  readonly id: string;
  readonly actor: Actor;
  readonly level: SafetyLevel;
  readonly session: string;
}

/** Told about each call: before it runs, after a success, after a failure (X27–X30). */
export type ToolHook = (
  phase: Phase,
  tool: Tool,
  args: Record<string, unknown>,
  result: ToolResult | null,
  call: HookCall,
  outcome: ToolOutcome | null,
) => void;

export interface ExecutorParts {
  readonly approvals: ApprovalQueue<ToolOutcome>;
  readonly project: () => Project;
  readonly rules: RuleBook;
  /** Whether an effect that has just been requested waits for a person. */
  readonly asked: (effect: string) => boolean;
  readonly kept: KeptFiles;
  /** What the person has open in an editor. */
  readonly buffers: () => readonly OpenBuffer[];
}

export class Executor {
  readonly hooks: ToolHook[] = [];
  readonly replies = new LongReplies();
  readonly #parts: ExecutorParts;
  readonly #parked: ParkedRuns;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
    this.#parked = new ParkedRuns(parts.asked);
  }

  /** Executes calls in their order. */
  async execute(calls: readonly ToolCall[], caller: Caller): Promise<ToolResult[]> {
    const results: ToolResult[] = [];
    for (const call of calls) results.push(await this.#executeOne(call, caller));
    return results;
  }

  async #executeOne(call: ToolCall, caller: Caller): Promise<ToolResult> {
    const started = performance.now();
    const tool = findTool(call.name);
    if (!tool)
      return failure(call.id, `Unknown tool: ${call.name}`, {
        execution_time_ms: 0,
        safety_level: 'safe',
        status: 'failed',
      });
    const checked = checkArguments(tool, call.arguments);
    if (!checked.ok) {
      const level = levelOf(tool, caller);
      return failure(call.id, checked.message, { execution_time_ms: 0, safety_level: level, status: 'failed' });
    }
    const level = await levelOfCall(tool, checked.value, this.#contextOf(call.id, caller));
    const hookCall = { id: call.id, actor: caller.actor, level, session: caller.session.id };
    this.#tell('before', tool, checked.value, null, hookCall, null);
    const answer = await this.#answer(tool, checked.value, level, call, caller).catch((error: unknown): Answer =>
      errorAnswer(error),
    );
    const tell = (given: Answer): ToolResult => {
      const result = resultOf(call.id, given, level, performance.now() - started);
      this.#tell(result.success ? 'after' : 'error', tool, checked.value, result, hookCall, given.outcome ?? null);
      return result;
    };
    // What ends after its answer is told when it does, whether or not anybody fetches it.
    void answer.later?.then((settlement) => tell(answerOf(settlement)));
    return tell(answer);
  }

  async #answer(
    tool: Tool,
    args: Record<string, unknown>,
    level: SafetyLevel,
    call: ToolCall,
    caller: Caller,
  ): Promise<Answer> {
    if (tool === awaitApproval) return this.#await(String(args['approval_id']), caller);
    const context = this.#contextOf(call.id, caller);
    const policy = await policyRequestOf(tool, args, level, context);
    const { rules } = this.#parts;
    const verdict = decide(policy, caller.policy, rules.all);
    rules.note(caller.actor.id, policy, verdict.rule);
    if (verdict.decision === 'deny') return denial(verdict.why);
    const meanwhile = level === 'dangerous' ? this.#parts.approvals.decided(caller.actor, tool.name, args) : null;
    if (meanwhile) return this.#hold(meanwhile.id, meanwhile.settled, caller);
    if (verdict.decision === 'allow')
      return this.#runHeld(
        tool,
        args,
        context,
        caller,
        level === 'dangerous' ? await this.#granted(tool, args, context) : null,
      );
    const ticket = await this.#parts.approvals.request(
      this.#requestOf(tool, args, level, verdict, caller.policy.mode, policy, context),
    );
    const answer = await this.#hold(ticket.id, ticket.settled, caller);
    return answer.pending === undefined ? answer : { ...answer, later: ticket.settled };
  }

  /** Runs it now. When its code waits for a person too long it is answered with its handle, and so is the same call sent again. */
  async #runHeld(
    tool: Tool,
    args: Record<string, unknown>,
    context: ToolContext,
    caller: Caller,
    approved: Approved | null,
  ): Promise<Answer> {
    const { actor, session, holdMs, signal, left } = caller;
    const key = fingerprint([actor.id, tool.name, args]);
    const parked = this.#parked.find(key);
    if (parked) return this.#hold(parked.id, parked.settled, caller);
    const ended = await this.#parked.run({ id: context.call, key, session, holdMs, signal, left }, (own) =>
      this.#run(tool, args, { ...context, signal: own }, approved),
    );
    if (!('effect' in ended)) return ran(ended);
    this.#parts.approvals.follow(ended, actor);
    if (left?.aborted) this.#parts.approvals.attend(ended.id)(true);
    return { ...pending(ended.id, effectWaits(ended.effect)), later: ended.settled };
  }

  /**
   * Asks again what the program before had asked, under the same handle.
   * @throws when it cannot be asked any more, with why.
   */
  async askAgain(record: ApprovalRecord, caller: Caller, notice: string): Promise<void> {
    const tool = findTool(record.tool);
    const checked = tool && checkArguments(tool, record.arguments);
    if (!tool || !checked) throw new WorkbenchError('invalid', `Unknown tool: ${record.tool}`);
    if (!checked.ok) throw new WorkbenchError('invalid', checked.message);
    const context = this.#contextOf(record.call, caller);
    const policy = await policyRequestOf(tool, checked.value, record.level, context);
    const verdict: Verdict = { decision: 'ask', rule: 'restart', why: 'it was asked before the program ended' };
    const request = this.#requestOf(tool, checked.value, record.level, verdict, caller.policy.mode, policy, context);
    await this.#parts.approvals.askAgain(request, record, notice);
  }

  #requestOf(
    tool: Tool,
    args: Record<string, unknown>,
    level: SafetyLevel,
    verdict: Verdict,
    mode: ClientMode,
    policy: PolicyRequest,
    context: ToolContext,
  ): ReturnType<typeof approvalRequestOf> {
    const { rules, kept, approvals } = this.#parts;
    return approvalRequestOf(
      { tool, args, level, verdict, mode, policy, context },
      rules,
      async (current, approved) => {
        // The caller may be gone by the time a person decides, and another project open: what was approved runs all the
        // same, where the card said.
        const outcome = await this.#run(tool, current, { ...context, signal: new AbortController().signal }, approved);
        if (kept.has(approved.id)) approvals.setUndo(approved.id, 'Puts the file back as it was');
        return outcome;
      },
    );
  }

  /** What the person agreed to by a rule that they gave for this target: as if they had clicked on the card of now. */
  async #granted(tool: Tool, args: Record<string, unknown>, context: ToolContext): Promise<Approved | null> {
    if (!tool.card) return null;
    const { targetState } = await tool.card(args, context);
    return { id: context.call, targetState, original: null, hunks: null, path: null };
  }

  async #await(id: string, caller: Caller): Promise<Answer> {
    const ticket = this.#parts.approvals.ticket(id, caller.actor);
    if (!ticket) return { outcome: { success: false, text: `No request of yours has the handle ${id}.` } };
    const answer = await this.#hold(id, ticket.settled, caller);
    if (!answer.outcome) return answer;
    const { evaluation: _told, ...outcome } = answer.outcome; // as the end of the call that made it
    return { ...answer, outcome };
  }

  /** Waits for the decision as long as the caller can bear, then answers with the handle (decision 26). */
  async #hold(
    id: string,
    settled: Promise<Settlement<ToolOutcome>>,
    { holdMs, signal, left }: Caller,
  ): Promise<Answer> {
    const { promise: cut, resolve } = Promise.withResolvers<'late' | 'gone'>();
    const leaveCard = this.#parts.approvals.attend(id);
    const timer = setTimeout(() => resolve('late'), holdMs);
    const leave = (): void => resolve('gone');
    const ends = [signal, ...(left ? [left] : [])];
    for (const end of ends) end.addEventListener('abort', leave, { once: true });
    if (ends.some(({ aborted }) => aborted)) leave();
    const first = await Promise.race([settled, cut]);
    clearTimeout(timer);
    for (const end of ends) end.removeEventListener('abort', leave);
    leaveCard(first === 'gone');
    if (first === 'gone' || first === 'late') return pending(id, NOT_DECIDED);
    if (!ends.some(({ aborted }) => aborted)) this.#parts.approvals.told(id);
    return answerOf(first);
  }

  async #run(
    tool: Tool,
    args: Record<string, unknown>,
    context: ToolContext,
    approved: Approved | null,
  ): Promise<ToolOutcome> {
    try {
      return await tool.run(args, context, approved);
    } catch (error) {
      return errorAnswer(error).outcome!;
    }
  }

  #contextOf(call: string, { actor, context, session, shared, signal }: Caller): ToolContext {
    const { project, kept, buffers } = this.#parts;
    const { replies } = this;
    return { actor, context, session, shared, signal, call, project: project(), kept, buffers, replies };
  }

  #tell(...told: Parameters<ToolHook>): void {
    for (const hook of this.hooks) {
      try {
        hook(...told);
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error)); // a hook's fault is not the call's
      }
    }
  }
}

async function policyRequestOf(
  tool: Tool,
  args: Record<string, unknown>,
  level: SafetyLevel,
  context: ToolContext,
): Promise<PolicyRequest> {
  const paths = tool.paths ? await tool.paths(args, context) : [];
  return { kind: 'tool', tool: tool.name, level, target: paths.length === 0 ? null : paths.join(' -> '), paths };
}
