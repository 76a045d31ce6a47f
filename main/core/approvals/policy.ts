/** What happens to a request before anything runs: one pure function with its reason. */
import type { SafetyLevel } from '#contract/tool.ts';

/** observe: looks only; propose: cautious tools ask too; collaborate: the contracts' levels (DESIGN section 6). */
export type ClientMode = 'observe' | 'propose' | 'collaborate';

export interface PolicyRequest {
  readonly tool: string;
  readonly level: SafetyLevel;
}

export interface ClientPolicy {
  readonly name: string;
  readonly mode: ClientMode;
}

/** A remembered decision about tools by name; `*` stands for any run of characters. */
export interface Rule {
  readonly id: string;
  readonly decision: 'deny' | 'ask' | 'allow';
  readonly tool: string;
  /** Restricts the rule to one client; null is every client. */
  readonly client: string | null;
}

export interface Verdict {
  readonly decision: 'allow' | 'ask' | 'deny';
  /** The rule that decided, by id; `level` and `mode` are built in. */
  readonly rule: string;
  /** For the card and the audit: "write_file is a dangerous tool and this client is in collaborate mode". */
  readonly why: string;
}

/**
 * Decides what happens to a request before anything runs. Pure: same input, same answer. Order: deny, ask, allow; a rule
 * that fails to evaluate denies. No rule lets a dangerous tool run unasked (X37).
 */
export function decide(request: PolicyRequest, client: ClientPolicy, rules: readonly Rule[]): Verdict {
  const fitting: Rule[] = [];
  for (const rule of rules) {
    const fits = applies(rule, request, client);
    if (fits === 'broken')
      return { decision: 'deny', rule: rule.id, why: `rule ${rule.id} cannot be read, so it denies` };
    if (fits) fitting.push(rule);
  }
  for (const decision of ['deny', 'ask'] as const) {
    const rule = fitting.find((each) => each.decision === decision);
    if (rule) return { decision, rule: rule.id, why: `rule ${rule.id} says ${decision} for ${rule.tool}` };
  }
  const byLevel = decideByLevel(request, client);
  const allowing = fitting.find((each) => each.decision === 'allow');
  if (allowing && byLevel.decision === 'ask' && request.level !== 'dangerous') {
    return { decision: 'allow', rule: allowing.id, why: `rule ${allowing.id} allows ${allowing.tool}` };
  }
  return byLevel;
}

function decideByLevel({ tool, level }: PolicyRequest, { mode }: ClientPolicy): Verdict {
  const said = `${tool} is a ${level} tool and this client is in ${mode} mode`;
  if (level === 'safe') return { decision: 'allow', rule: 'level', why: said };
  if (mode === 'observe') return { decision: 'deny', rule: 'mode', why: `${said}, which only looks` };
  if (level === 'dangerous') return { decision: 'ask', rule: 'level', why: said };
  return mode === 'propose'
    ? { decision: 'ask', rule: 'mode', why: said }
    : { decision: 'allow', rule: 'level', why: said };
}

function applies(rule: Rule, request: PolicyRequest, client: ClientPolicy): boolean | 'broken' {
  if (typeof rule.tool !== 'string' || rule.tool === '' || !['deny', 'ask', 'allow'].includes(rule.decision))
    return 'broken';
  if (rule.client !== null && rule.client !== client.name) return false;
  const pattern = rule.tool.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join('.*')}$`).test(request.tool);
}
