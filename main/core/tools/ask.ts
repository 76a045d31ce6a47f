/** The request for a person's word that a tool call becomes: what its card shows, and what runs when it is approved. */
import type { ClientMode } from '#contract/client.ts';
import type { SafetyLevel } from '#contract/tool.ts';
import type { PolicyRequest, Verdict } from '#core/approvals/policy.ts';
import { reasonOf } from '#core/approvals/reason.ts';
import type { ApprovalRequest, CardFacts } from '#core/approvals/request.ts';
import type { RuleBook } from '#core/approvals/rules.ts';
import { checkArguments } from './registry.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';

export interface Asked {
  readonly tool: Tool;
  readonly args: Record<string, unknown>;
  readonly level: SafetyLevel;
  readonly verdict: Verdict;
  /** Of the client, now. */
  readonly mode: ClientMode;
  readonly policy: PolicyRequest;
  readonly context: ToolContext;
}

/** `run` runs the tool with what was approved. */
export function approvalRequestOf(
  { tool, args, level, verdict, mode, policy, context }: Asked,
  rules: RuleBook,
  run: ApprovalRequest<ToolOutcome>['perform'],
): ApprovalRequest<ToolOutcome> {
  const { actor, call } = context;
  return {
    actor,
    call,
    tool: tool.name,
    level,
    arguments: args,
    rule: verdict.why,
    reason: reasonOf(verdict, mode),
    scopes: () => rules.scopes(actor.id, policy),
    remember: (scope) => rules.grant(scope, actor.id, policy),
    draw: async (current) => (tool.card ? tool.card(current, context) : plainCard(tool, current)),
    check: (edited) => {
      const checked = checkArguments(tool, edited);
      return checked.ok ? null : checked.message;
    },
    perform: async (current, approved) => {
      const outcome = await run(current, approved);
      return tool.card || approved.original === null
        ? outcome
        : { ...outcome, text: `${outcome.text}\n\n${editedText(current)}` };
    },
  };
}

/** What ran instead of what was asked, so that the caller's belief stays true. */
function editedText(args: Record<string, unknown>): string {
  return `[Edited by the person]\n${String(args['code'] ?? args['form'])}`;
}

/** For what changes the image alone, where the client's mode asks: its code can be changed before it runs. */
function plainCard(tool: Tool, args: Record<string, unknown>): CardFacts {
  const shown = Object.entries(args).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }));
  return {
    headline: `${tool.title} in the image`,
    arguments: shown,
    editable: ['code', 'form'].find((name) => typeof args[name] === 'string') ?? null,
    change: null,
    reversible: 'Reversible: definitions can be undone, and what would leave the image is asked about by itself',
    claim: null,
    targetState: '',
  };
}
