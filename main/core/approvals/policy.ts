/** What happens to a request before anything runs: one pure function with its reason. */
import type { ClientMode } from '#contract/client.ts';
import type { SafetyLevel } from '#contract/tool.ts';

/** A call of a tool, before it runs. */
export interface ToolRequest {
  readonly kind: 'tool';
  readonly tool: string;
  readonly level: SafetyLevel;
  /** What it would act on, e.g. the canonical path of a file; null where it names none. */
  readonly target: string | null;
  /** Canonical paths that it would change or read. */
  readonly paths: readonly string[];
}

/** Something that running code is about to do outside the image. */
export interface EffectRequest {
  readonly kind: 'effect';
  readonly effect: string;
  readonly target: string;
  /** Canonical paths that it would change. */
  readonly paths: readonly string[];
  readonly evaluation: string | null;
  readonly system: string | null;
}

export type PolicyRequest = ToolRequest | EffectRequest;

export interface ClientPolicy {
  readonly id: string;
  readonly name: string;
  readonly mode: ClientMode;
  /** Why nothing of it is answered at the moment; null while it is. */
  readonly paused: string | null;
  /** What takes the place of asking about effects where nobody can be asked. */
  readonly effects: 'ask' | 'allow' | 'deny';
}

/** What a rule is about. A `*` in `tool` stands for any run of characters; parts that are left out restrict nothing. */
export interface RuleSubject {
  readonly tool?: string;
  readonly effect?: string;
  readonly target?: string;
  /** All that would be changed lies in this folder. An allowing rule leaves out what is in dot-folders below it. */
  readonly folder?: string;
  readonly evaluation?: string;
  readonly system?: string;
}

export interface Rule {
  readonly id: string;
  readonly decision: 'deny' | 'ask' | 'allow';
  /** Restricts the rule to one client, by its id; null is every client. */
  readonly client: string | null;
  readonly subject: RuleSubject;
  /** The person gave it on a card, for exactly this target. Only such a rule answers for a dangerous tool. */
  readonly granted: boolean;
}

export interface Verdict {
  readonly decision: 'allow' | 'ask' | 'deny';
  /** The rule that decided, by id; `level`, `mode`, `paused` and `effects` are built in. */
  readonly rule: string;
  /** For the card and the audit: "write_file is a dangerous tool and this client is in collaborate mode". */
  readonly why: string;
}

/**
 * Decides what happens to a request before anything runs. Pure: same input, same answer. Order: deny, ask, allow; a rule
 * that fails to evaluate denies. No rule lets a dangerous tool run unasked, but one that the person gave for that target (X37).
 */
export function decide(request: PolicyRequest, client: ClientPolicy, rules: readonly Rule[]): Verdict {
  if (client.paused !== null) return { decision: 'deny', rule: 'paused', why: client.paused };
  const fitting: Rule[] = [];
  for (const rule of rules) {
    if (isBroken(rule)) return { decision: 'deny', rule: rule.id, why: `rule ${rule.id} cannot be read, so it denies` };
    if (matches(rule, request, client.id)) fitting.push(rule);
  }
  for (const decision of ['deny', 'ask'] as const) {
    const rule = fitting.find((each) => each.decision === decision);
    if (rule)
      return { decision, rule: rule.id, why: `rule ${rule.id} says ${decision} for ${subjectInWords(rule.subject)}` };
  }
  const byDefault = request.kind === 'tool' ? byLevel(request, client) : byEffect(request, client);
  const allowing = fitting.find((rule) => rule.decision === 'allow' && mayAllow(rule, request));
  // Headless, `effects` takes the place of asking alone: what a rule allows is allowed there too.
  if (allowing && (byDefault.decision === 'ask' || byDefault.rule === 'effects'))
    return {
      decision: 'allow',
      rule: allowing.id,
      why: `rule ${allowing.id} allows ${subjectInWords(allowing.subject)}`,
    };
  return byDefault;
}

/** Whether a rule is about a request of this client. */
export function matches({ client: only, subject, decision }: Rule, request: PolicyRequest, client: string): boolean {
  if (only !== null && only !== client) return false;
  const [name, pattern] = request.kind === 'tool' ? [request.tool, subject.tool] : [request.effect, subject.effect];
  if (pattern === undefined || !fits(pattern, name)) return false;
  if (subject.target !== undefined && subject.target !== request.target) return false;
  if (request.kind === 'effect') {
    if (subject.evaluation !== undefined && subject.evaluation !== request.evaluation) return false;
    if (subject.system !== undefined && subject.system !== request.system) return false;
  }
  if (subject.folder === undefined) return true;
  const { folder } = subject;
  const { paths } = request;
  if (decision === 'allow') return paths.length > 0 && paths.every((path) => mayFill(path, folder, name));
  return paths.some((path) => path === folder || isBelow(path, folder));
}

/** `write_file for src/shop.lisp`, `every effect of system drakma`. */
export function subjectInWords({ tool, effect, target, folder, evaluation, system }: RuleSubject): string {
  const what = tool ?? (effect === '*' || effect === undefined ? 'every effect' : `effect ${effect}`);
  return [
    what,
    ...(target === undefined ? [] : [`for ${target}`]),
    ...(folder === undefined ? [] : [`in ${folder}`]),
    ...(system === undefined ? [] : [`of system ${system}`]),
    ...(evaluation === undefined ? [] : ['of this evaluation']),
  ].join(' ');
}

function byLevel({ tool, level }: ToolRequest, { mode }: ClientPolicy): Verdict {
  const said = `${tool} is a ${level} tool and this client is in ${mode} mode`;
  if (level === 'safe') return { decision: 'allow', rule: 'level', why: said };
  if (mode === 'observe') return { decision: 'deny', rule: 'mode', why: `${said}, which only looks` };
  if (level === 'dangerous') return { decision: 'ask', rule: 'level', why: said };
  return mode === 'propose'
    ? { decision: 'ask', rule: 'mode', why: said }
    : { decision: 'allow', rule: 'level', why: said };
}

function byEffect({ effect }: EffectRequest, { mode, effects }: ClientPolicy): Verdict {
  if (mode === 'observe')
    return { decision: 'deny', rule: 'mode', why: 'this client is in observe mode, which only looks' };
  const why = {
    ask: `code of an agent reaches outside the image (${effect})`,
    allow: 'effects are allowed here: this run was started with --effects allow',
    deny: 'effects are denied here: nobody can be asked about them',
  }[effects];
  return { decision: effects, rule: 'effects', why };
}

function mayAllow({ granted, subject }: Rule, request: PolicyRequest): boolean {
  if (request.kind === 'effect' || request.level !== 'dangerous') return true;
  return granted && subject.target !== undefined;
}

function isBroken({ decision, subject }: Rule): boolean {
  if (!['deny', 'ask', 'allow'].includes(decision) || typeof subject !== 'object' || subject === null) return true;
  const { tool, effect } = subject;
  if ((tool === undefined) === (effect === undefined)) return true;
  return typeof (tool ?? effect) !== 'string' || (tool ?? effect) === '';
}

function fits(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name;
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}

/** What lies below the folder, but for dot-folders; and making the folder itself. */
function mayFill(path: string, folder: string, effect: string): boolean {
  if (path === folder) return effect === 'create-folder';
  return isBelow(path, folder) && !hasDotFolder(path, folder);
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function hasDotFolder(path: string, folder: string): boolean {
  return path
    .slice(folder.length)
    .split('/')
    .some((part) => part.startsWith('.'));
}
