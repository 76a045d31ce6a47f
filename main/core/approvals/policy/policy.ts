/** The policy: decides about a request before anything runs. The decision is a pure function, which also returns the reason. */
import type { ClientMode } from '#contract/clients/client.ts';
import type { SafetyLevel } from '#contract/clients/tool.ts';
import { foldedPath } from '#core/project/files/folded-path.ts';
import { NOBODY_ASKED_ABOUT_EFFECTS } from '../without-window.ts';

/** A tool call before it runs. */
interface ToolRequest {
  readonly kind: 'tool';
  readonly tool: string;
  readonly level: SafetyLevel;
  /** The target of the request, e.g. the canonical path of a file; null if there is none. */
  readonly target: string | null;
  /** The canonical paths that the request would change or read. */
  readonly paths: readonly string[];
  /** A sentence about the programs that the changed file can start. No rule can allow such a request. Null or absent for other files. */
  readonly configures?: string | null;
}

/** An action outside the image that running code is about to take. */
export interface EffectRequest {
  readonly kind: 'effect';
  readonly effect: string;
  readonly target: string;
  /** The canonical paths that the effect would change. */
  readonly paths: readonly string[];
  readonly evaluation: string | null;
  readonly system: string | null;
  /** The rules that a card may offer for the effect; absent if all are possible. */
  readonly lasting?: Lasting;
  /** True if code in the image created the system, which means that it has no file. */
  readonly madeInMemory?: boolean;
  /** A sentence about the programs that the changed file can start, as for a tool call. */
  readonly configures?: string | null;
}

/**
 * The rules that a card may offer. `once`: none; `target`: a rule for exactly this target; `evaluation`: that rule, and a rule for all
 * effects of the same kind in this evaluation.
 */
export type Lasting = 'once' | 'target' | 'evaluation';

/** Effects that concern only a file or folder. */
export const FILE_KINDS: ReadonlySet<string> = new Set([
  'write',
  'delete',
  'rename',
  'create-folder',
  'link',
  'attributes',
]);
/** The kinds of file effects, joined into one pattern that a rule can use. */
export const ALL_FILES = [...FILE_KINDS].join('|');

export type PolicyRequest = ToolRequest | EffectRequest;

export interface ClientPolicy {
  readonly id: string;
  readonly name: string;
  readonly mode: ClientMode;
  /** The reason why the client is paused; null if it is not paused. */
  readonly paused: string | null;
  /** The answer to effects. `allow` and `deny` are used if there is no person to ask. */
  readonly effects: 'ask' | 'allow' | 'deny';
}

/**
 * The requests to which a rule applies. A `*` matches any run of characters; `|` in `effect` separates alternative kinds. An absent field
 * does not restrict the requests.
 */
export interface RuleSubject {
  readonly tool?: string;
  readonly effect?: string;
  readonly target?: string;
  /**
   * The folder that the rule is about. A rule that allows applies only if all changed paths, compared as written, are in the folder and not
   * in its dot-folders. Any other rule applies if at least one path is in the folder, in any spelling that means the same file.
   */
  readonly folder?: string;
  readonly evaluation?: string;
  readonly system?: string;
}

export interface Rule {
  readonly id: string;
  readonly decision: 'deny' | 'ask' | 'allow';
  /** The id of the only client to which the rule applies; null if it applies to every client. */
  readonly client: string | null;
  readonly subject: RuleSubject;
  /** True if the person granted the rule on a card. Only such a rule, with a target, can allow a dangerous tool. */
  readonly granted: boolean;
}

export interface Verdict {
  readonly decision: 'allow' | 'ask' | 'deny';
  /** The id of the rule that decided; `level`, `mode`, `paused` and `effects` are built in. */
  readonly rule: string;
  /** The reason, for the card and the audit: "write-file is a dangerous tool and this client is in collaborate mode". */
  readonly why: string;
}

/**
 * Decides about a request before anything runs. Pure: the same input gives the same verdict. Rules that deny are tried first, then rules
 * that ask, then rules that allow. If any rule is invalid, the request is denied. A dangerous tool is allowed only by a rule that the
 * person granted for its target (X37).
 */
export function decide(request: PolicyRequest, client: ClientPolicy, rules: readonly Rule[]): Verdict {
  if (client.paused !== null) return { decision: 'deny', rule: 'paused', why: client.paused };
  const broken = rules.find(isBroken);
  if (broken)
    return { decision: 'deny', rule: broken.id, why: `rule ${broken.id} cannot be read, so the request is denied` };
  const fitting = rules.filter((rule) => matches(rule, request, client.id));
  for (const decision of ['deny', 'ask'] as const) {
    const rule = fitting.find((each) => each.decision === decision);
    if (rule)
      return { decision, rule: rule.id, why: `rule ${rule.id} says ${decision} for ${subjectInWords(rule.subject)}` };
  }
  const byDefault = request.kind === 'tool' ? byLevel(request, client) : byEffect(request, client);
  // The first matching rule that allows the request. At this point, no matching rule denies or asks.
  const allowing = fitting.find((rule) => mayAllow(rule, request));
  // Without a window, `effects` only replaces the question to the person. Requests that a rule allows remain allowed.
  if (allowing && (byDefault.decision === 'ask' || byDefault.rule === 'effects'))
    return {
      decision: 'allow',
      rule: allowing.id,
      why: `rule ${allowing.id} allows ${subjectInWords(allowing.subject)}`,
    };
  return byDefault;
}

/** Returns true if a rule applies to a request of this client. An allowing rule never applies to a file that configures other programs. */
export function matches(
  { client: only, subject, decision }: Pick<Rule, 'client' | 'subject' | 'decision'>,
  request: PolicyRequest,
  client: string,
): boolean {
  if (only !== null && only !== client) return false;
  if (decision === 'allow' && request.configures) return false;
  const name = request.kind === 'tool' ? request.tool : request.effect;
  const pattern = request.kind === 'tool' ? subject.tool : subject.effect;
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
  const held = foldedPath(folder);
  return paths.map(foldedPath).some((path) => path === held || isBelow(path, held));
}

/** Returns the subject of a rule in words: `write-file for src/shop.lisp`, `every effect of system drakma`. */
export function subjectInWords({ tool, effect, target, folder, evaluation, system }: RuleSubject): string {
  const what = tool ?? effectInWords(effect);
  return [
    what,
    ...(target === undefined ? [] : [`for ${target}`]),
    ...(folder === undefined ? [] : [`in ${folder}`]),
    ...(system === undefined ? [] : [`of system ${system}`]),
    ...(evaluation === undefined ? [] : ['of this evaluation']),
  ].join(' ');
}

function effectInWords(effect: string | undefined): string {
  if (effect === '*' || effect === undefined) return 'every effect';
  return effect === ALL_FILES ? 'every effect on files' : `effect ${effect}`;
}

function byLevel({ tool, level }: ToolRequest, { mode }: ClientPolicy): Verdict {
  const said = `${tool} is a ${level} tool and this client is in ${mode} mode`;
  if (level === 'safe') return { decision: 'allow', rule: 'level', why: said };
  if (mode === 'observe') return { decision: 'deny', rule: 'mode', why: `${said}, which is read-only` };
  if (level === 'dangerous') return { decision: 'ask', rule: 'level', why: said };
  return mode === 'propose'
    ? { decision: 'ask', rule: 'mode', why: said }
    : { decision: 'allow', rule: 'level', why: said };
}

function byEffect({ effect }: EffectRequest, { mode, effects }: ClientPolicy): Verdict {
  if (mode === 'observe')
    return { decision: 'deny', rule: 'mode', why: 'this client is in observe mode, which is read-only' };
  const why = {
    ask: `code of an agent has an effect outside the image (${effect})`,
    allow: 'effects are allowed here: this run was started with --effects allow',
    deny: NOBODY_ASKED_ABOUT_EFFECTS,
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
  if (pattern.includes('|')) return pattern.split('|').some((each) => fits(each, name));
  return patternOf(pattern).test(name);
}

/** The compiled patterns of rules. There are only a few, because they are names of tools and kinds of effects. */
const compiled = new Map<string, RegExp>();

function patternOf(pattern: string): RegExp {
  let known = compiled.get(pattern);
  if (!known) {
    const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    known = new RegExp(`^${parts.join('.*')}$`);
    compiled.set(pattern, known);
  }
  return known;
}

/** Returns true for a path in the folder that is not in a dot-folder, and for creating the folder itself. */
function mayFill(path: string, folder: string, effect: string): boolean {
  if (path === folder) return effect === 'create-folder';
  return isBelow(path, folder) && !hasDotFolder(path, folder);
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function hasDotFolder(path: string, folder: string): boolean {
  return foldedPath(path.slice(folder.length))
    .split('/')
    .some((part) => part.startsWith('.'));
}
