/**
 * A tool call that needs a person's approval. Creates its card, which includes the part that the person can edit, and runs the call after
 * the approval.
 */
import type { SafetyLevel } from '#contract/clients/tool.ts';
import type { PolicyRequest } from '#core/approvals/policy/policy.ts';
import type { RuleBook } from '#core/approvals/policy/rules.ts';
import type { Approved, Arguments, CardFacts, OfferedScope, Requester } from '#core/approvals/request.ts';
import { checkArguments } from '../registry.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tool.ts';

/** A checked call, with all facts that must be known before it runs. */
export interface PreparedCall {
  readonly tool: Tool;
  readonly args: Arguments;
  readonly level: SafetyLevel;
  readonly policy: PolicyRequest;
  readonly context: ToolContext;
}

export class ToolApproval implements Requester<ToolOutcome> {
  readonly #call: PreparedCall;
  readonly #rules: RuleBook;
  readonly #run: (call: PreparedCall, approved: Approved) => Promise<ToolOutcome>;

  /** `run` runs the call with the approved arguments. */
  constructor(
    call: PreparedCall,
    rules: RuleBook,
    run: (call: PreparedCall, approved: Approved) => Promise<ToolOutcome>,
  ) {
    this.#call = call;
    this.#rules = rules;
    this.#run = run;
  }

  scopes(): OfferedScope[] {
    const { context, policy } = this.#call;
    return this.#rules.scopes(context.actor.id, policy);
  }

  remember(scope: string): boolean {
    const { context, policy } = this.#call;
    return this.#rules.grant(scope, context.actor.id, policy);
  }

  async draw(args: Arguments): Promise<CardFacts> {
    const { tool, context, policy } = this.#call;
    return tool.card
      ? { ...(await tool.card(args, context)), configures: policy.configures ?? null }
      : plainCard(tool, args);
  }

  check(edited: Arguments): string | null {
    const checked = checkArguments(this.#call.tool, edited);
    return checked.ok ? null : checked.message;
  }

  failure({ success, text }: ToolOutcome): string | null {
    return success ? null : text;
  }

  async perform(args: Arguments, approved: Approved): Promise<ToolOutcome> {
    const outcome = await this.#run({ ...this.#call, args }, approved);
    return this.#call.tool.card || approved.original === null
      ? outcome
      : { ...outcome, text: `${outcome.text}\n\n${editedText(args)}` };
  }
}

/** Returns a text with the code that ran instead of the sent code, so that the caller knows what the person changed. */
function editedText(args: Arguments): string {
  return `[Edited by the person]\n${String(args['code'] ?? args['form'])}`;
}

/**
 * Returns the card of a call that changes only the image, if the client's mode requires approval. The person can change the call's code
 * before it runs.
 */
function plainCard(tool: Tool, args: Arguments): CardFacts {
  const shown = Object.entries(args).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
  return {
    headline: `${tool.title} in the image`,
    arguments: shown,
    editable: ['code', 'form'].find((name) => typeof args[name] === 'string') ?? null,
    change: null,
    reversible: 'Reversible: definitions can be undone, and effects outside the image ask separately',
    claim: null,
    targetState: '',
  };
}
