/**
 * Executes all tool calls (decision 31). The steps are: look up, check, level, policy, approval, run, answer. A list of calls goes in, a
 * list of results comes out. Ids are preserved, a result has either success or an error, and no exception leaves the executor (X34–X38).
 */
import path from 'node:path';
import type { Actor } from '#contract/image/session.ts';
import type { ToolCall, ToolResult } from '#contract/clients/tool.ts';
import { fingerprint } from '#core/approvals/fingerprint.ts';
import { reasonOf } from '#core/approvals/policy/reason.ts';
import { decide, type PolicyRequest, type Verdict } from '#core/approvals/policy/policy.ts';
import type { ClientApproval } from '#core/approvals/client-approval.ts';
import type { ApprovalQueue } from '#core/approvals/queue/queue.ts';
import type { ApprovalRecord } from '#core/approvals/results/records.ts';
import type { ApprovalRequest, Approved, Arguments } from '#core/approvals/request.ts';
import type { RuleBook } from '#core/approvals/policy/rules.ts';
import { Emitter } from '#core/base/emitter.ts';
import { WorkbenchError } from '#core/base/error.ts';
import type { OpenBuffer } from '#core/project/files/buffers.ts';
import type { Backups } from '#core/project/files/backups.ts';
import { configuringFile } from '#core/project/configuring-files.ts';
import type { Project } from '#core/project/project.ts';
import { printedText } from '../replies/printed-text.ts';
import { answerOf, denial, errorAnswer, failure, ran, resultOf, withNotices, type Answer } from './results.ts';
import { ToolApproval, type PreparedCall } from './tool-approval.ts';
import { awaitApproval } from './await-approval.ts';
import type { Caller, CallEvents, CallStart, Executed } from './caller.ts';
import { PendingAnswers } from './pending-answers.ts';
import type { CallOfCode } from '#core/effects/gate.ts';
import type { Session } from '#core/sessions/session.ts';
import { connectionOf } from '../connection/connection.ts';
import { LongReplies } from '../replies/long-replies.ts';
import { BackgroundCalls } from './background-calls.ts';
import { howToCall } from '../tool-sets/tool-sets.ts';
import { withReadingFault } from '../replies/reading-fault.ts';
import { USUAL_SIZE } from '../replies/reply-sizes.ts';
import { checkCall, type CheckedCall } from '../checked-call.ts';
import { findToolAsNamed, noSuchTool, publishedName } from '../registry.ts';
import { runWithin } from '../timeout.ts';
import { levelOf, levelOfCall, type Tool, type ToolContext, type ToolOutcome } from '../tool.ts';
import { callTool } from '../tool-sets/tool-search.ts';

export interface ExecutorParts {
  readonly approvals: ApprovalQueue<ToolOutcome>;
  readonly clientApproval: ClientApproval<ToolOutcome>;
  readonly project: () => Project;
  readonly rules: RuleBook;
  /** Returns true if a person must decide about a new effect. */
  readonly asked: (effect: string) => boolean;
  /**
   * Records a call that needs approval and that a rule allows. Returns the reason if the call could not be recorded; the call is then not
   * run (K5).
   */
  readonly announce: (call: {
    readonly actor: Actor;
    readonly session: string;
    readonly call: string;
    readonly tool: string;
    readonly target: string | null;
    readonly rule: string;
  }) => string | null;
  readonly backups: Backups;
  /** Returns the texts that the person has open in an editor. */
  readonly buffers: () => readonly OpenBuffer[];
}

/** The signal of a call that is never cancelled. */
const NEVER = new AbortController().signal;

export class Executor {
  readonly events = new Emitter<CallEvents>();
  readonly replies = new LongReplies();
  readonly #parts: ExecutorParts;
  readonly #background: BackgroundCalls;
  readonly #pending: PendingAnswers;

  constructor(parts: ExecutorParts) {
    this.#parts = parts;
    this.#background = new BackgroundCalls(parts.asked);
    this.#pending = new PendingAnswers(parts.approvals, this.#background, parts.clientApproval);
  }

  /** Returns true if a call of this connection is running, even if it was already answered with a handle. */
  runsFor(connectionId: string): boolean {
    return this.#background.runsFor(connectionId);
  }

  /** Returns the running call to which an evaluation belongs; null if there is none. */
  callOf(session: Session, evaluation: string): CallOfCode | null {
    return this.#background.callOf(session, evaluation);
  }

  /** Executes calls in order. If a call is invalid, only that call fails. */
  async execute(calls: readonly ToolCall[], caller: Caller): Promise<ToolResult[]> {
    const results: ToolResult[] = [];
    for (const { id, name, arguments: given } of calls) {
      const checked = checkCall(id, name, given);
      const { result } = checked.ok ? await this.run(checked.call, caller) : notMade(id, checked, caller);
      results.push(result);
    }
    return results;
  }

  /** Executes a call: level, policy, approval, run, answer. Never throws. */
  async run(call: CheckedCall, caller: Caller): Promise<Executed> {
    const { id, tool, args } = call;
    if (tool === callTool) return this.#callByName(id, args, caller);
    const started = performance.now();
    const context = this.#contextOf(id, caller);
    const level = tool.levelOfCall ? await levelOfCall(tool, args, context) : levelOf(tool, context);
    const start: CallStart = { ...call, actor: caller.actor, level, session: caller.session.id };
    this.events.emit('started', start);
    const connection = connectionOf(caller);
    const before = connection.takeImageNotices();
    const end = tool === awaitApproval || tool.paths ? null : connection.begin(id);
    const answer = await this.#answer({ tool, args, level, context }, caller).catch((error: unknown): Answer =>
      errorAnswer(error),
    );
    const meanwhile = end?.() ?? [];
    const notice = connection.imageWords(tool.tellsOfImage ? before : [...before, ...meanwhile]);
    const threadFailures = printedText(caller.session.takeThreadFailures(caller.connectionId));
    const tell = (given: Answer): Executed => {
      const ended = given === answer ? withNotices(given, notice, threadFailures) : given;
      const result = resultOf(id, ended, level, performance.now() - started);
      const outcome = given.outcome ?? null;
      this.events.emit('ended', { ...start, result, outcome });
      return { result, evaluation: outcome?.evaluation ?? null };
    };
    // If a call ends after it was answered with a handle, this is reported even if the client never fetches the result.
    void answer.settled?.then((settlement) => tell(answerOf(settlement)));
    return tell(answer);
  }

  /**
   * Runs the tool that a `call-tool` call names, as if that tool had been called directly: with its own level, card and rules, and with its
   * own name in the activity.
   */
  async #callByName(id: string, given: Record<string, unknown>, caller: Caller): Promise<Executed> {
    const name = String(given['name']);
    const tool = findToolAsNamed(name);
    if (!tool || tool === callTool) {
      const message = tool ? 'call-tool calls other tools, not itself.' : noSuchTool(name);
      return notMade(id, { tool: null, message }, caller);
    }
    const checked = checkCall(id, tool.name, given['arguments']);
    return checked.ok ? this.run(checked.call, caller) : notMade(id, checked, caller);
  }

  async #answer(call: Omit<PreparedCall, 'policy'>, caller: Caller): Promise<Answer> {
    const { tool, args, level, context } = call;
    if (tool === awaitApproval) return this.#pending.fetch(String(args['approval_id']), caller);
    const prepared: PreparedCall = { ...call, policy: await policyRequestOf(call) };
    const { rules, approvals } = this.#parts;
    const verdict = decide(prepared.policy, caller.policy, rules.all);
    rules.note(caller.actor.id, prepared.policy, verdict.rule);
    if (verdict.decision === 'deny') return denial(verdict.why, false);
    const meanwhile = level === 'dangerous' ? approvals.decided(caller.actor, publishedName(tool), args) : null;
    if (meanwhile) return this.#pending.hold(meanwhile, caller);
    if (verdict.decision === 'allow') {
      if (level !== 'dangerous') return this.#runAllowed(prepared, caller, null);
      const { actor, session } = caller;
      const { target } = prepared.policy;
      const told = {
        actor,
        session: session.id,
        call: context.call,
        tool: publishedName(tool),
        target,
        rule: verdict.why,
      };
      const unrecorded = this.#parts.announce(told);
      if (unrecorded !== null)
        throw new WorkbenchError(
          'refused',
          `The call is allowed but did not run, because it could not be recorded. ${unrecorded}`,
        );
      return this.#runAllowed(prepared, caller, await granted(prepared));
    }
    const ticket = await approvals.request(this.#requestOf(prepared, verdict, caller));
    const answer = await this.#pending.hold(ticket, caller);
    return answer.pending === undefined ? answer : { ...answer, settled: ticket.settled };
  }

  /**
   * Runs the call now. If the call takes too long, or its code waits too long for a person, it is answered with its handle. If the same
   * call is sent again, it is answered with the same handle.
   */
  async #runAllowed(prepared: PreparedCall, caller: Caller, approved: Approved | null): Promise<Answer> {
    const { tool, args, context } = prepared;
    let digest: string | null = null;
    const key = (): string => (digest ??= fingerprint([caller.actor.id, tool.name, args]));
    const { approvals } = this.#parts;
    const before = this.#background.find({ key, caller }, (handle) => approvals.isAbandoned(handle));
    if (before) return this.#pending.hold(before, caller);
    const close = this.#pending.openChannel(context.call, caller);
    const ended = await this.#background
      .run({ id: context.call, key, caller }, (signal) => runTool(tool, args, { ...context, signal }, approved))
      .finally(() => close?.(caller.signal?.aborted ?? false));
    return 'effect' in ended ? this.#pending.leave(ended, caller) : ran(ended);
  }

  /**
   * Asks again, under the same handle, the question that an earlier run of the program asked.
   * @throws if it cannot be asked any more, with the reason.
   */
  async askAgain(record: ApprovalRecord, caller: Caller, notice: string): Promise<void> {
    const checked = checkCall(record.call, record.tool, record.arguments);
    if (!checked.ok) throw new WorkbenchError('invalid', checked.message);
    const { tool, args } = checked.call;
    const call = { tool, args, level: record.level, context: this.#contextOf(record.call, caller) };
    const prepared: PreparedCall = { ...call, policy: await policyRequestOf(call) };
    const verdict: Verdict = { decision: 'ask', rule: 'restart', why: 'it was requested before the program ended' };
    const request = this.#requestOf(prepared, verdict, caller);
    await this.#parts.approvals.askAgain(request, record, notice);
  }

  #requestOf(prepared: PreparedCall, verdict: Verdict, caller: Caller): ApprovalRequest<ToolOutcome> {
    const { tool, args, level, context } = prepared;
    return {
      requester: new ToolApproval(prepared, this.#parts.rules, (call, approved) =>
        this.#runApproved(call, approved, caller),
      ),
      actor: context.actor,
      call: context.call,
      tool: publishedName(tool),
      level,
      arguments: args,
      rule: verdict.why,
      reason: reasonOf(verdict, caller.policy.mode, prepared.policy.configures),
      askable: caller.channel !== undefined,
    };
  }

  /**
   * Runs an approved call. The caller may have disconnected by now, or another project may be open. The call still uses the project and the
   * image for which the card was shown.
   */
  async #runApproved({ tool, args, context }: PreparedCall, approved: Approved, caller: Caller): Promise<ToolOutcome> {
    const { backups, approvals } = this.#parts;
    const call = { id: context.call, handle: approved.id, caller };
    const outcome = await this.#background.runDetached(call, (signal) =>
      runTool(tool, args, { ...context, signal }, approved),
    );
    if (backups.has(approved.id)) approvals.setUndo(approved.id, backups.undoInWords(approved.id));
    return outcome;
  }

  #contextOf(
    call: string,
    { actor, connectionId, session, shared, signal = NEVER, profile = 'all', replySize = USUAL_SIZE }: Caller,
  ): ToolContext {
    const { project, backups, buffers } = this.#parts;
    const { replies } = this;
    return {
      actor,
      connectionId,
      session,
      shared,
      signal,
      call,
      project: project(),
      backups,
      buffers,
      replies,
      replySize,
      howToCall: (name) => howToCall(profile, name),
      cancel: (id) => this.#background.cancel(id, actor),
    };
  }
}

/** Returns the result of an invalid call: the tool does not exist, or the arguments do not fit. */
function notMade(id: string, { tool, message }: { tool: Tool | null; message: string }, caller: Caller): Executed {
  const level = tool ? levelOf(tool, caller) : 'safe';
  const result = failure(id, message, { execution_time_ms: 0, safety_level: level, status: 'failed' });
  return { result, evaluation: null };
}

async function runTool(
  tool: Tool,
  args: Arguments,
  context: ToolContext,
  approved: Approved | null,
): Promise<ToolOutcome> {
  try {
    const outcome = await runWithin(args, context, (within) => tool.run(args, within, approved));
    return withReadingFault(outcome, args);
  } catch (error) {
    return withReadingFault(errorAnswer(error).outcome!, args);
  }
}

/** Returns an approval without a card, if a rule of the person allows the call. The approval applies to the target's current state. */
async function granted({ tool, args, context }: PreparedCall): Promise<Approved | null> {
  if (!tool.card) return null;
  const { targetState } = await tool.card(args, context);
  return { id: context.call, targetState, original: null, hunks: null, path: null };
}

async function policyRequestOf({ tool, args, level, context }: Omit<PreparedCall, 'policy'>): Promise<PolicyRequest> {
  const paths = tool.paths ? await tool.paths(args, context) : [];
  const target = paths.length === 0 ? null : paths.join(' -> ');
  return {
    kind: 'tool',
    tool: publishedName(tool),
    level,
    target,
    paths,
    configures: configuredBy(level, paths, args, context),
  };
}

/**
 * Returns a description of the programs that the changed files configure. Checks both the file itself and the name that the caller gave,
 * because other programs may read the file through a link with that name.
 */
function configuredBy(
  level: PreparedCall['level'],
  paths: readonly string[],
  args: Arguments,
  { project: { root } }: ToolContext,
): string | null {
  if (level !== 'dangerous' || paths.length === 0) return null;
  // Relative names are used here. In a project that is reached through a link, absolute names would seem to be outside the project.
  const edits = Array.isArray(args['edits']) ? (args['edits'] as Record<string, unknown>[]) : [];
  const given = [args, ...edits]
    .flatMap((each) => [each['path'], each['to'], each['move_to']])
    .filter((each): each is string => typeof each === 'string' && !path.isAbsolute(each));
  for (const file of [...paths, ...given]) {
    const words = configuringFile(file, root);
    if (words !== null) return words;
  }
  return null;
}
