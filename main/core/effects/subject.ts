/**
 * The identity of an effect: which others may share its card, what policy and a rule made for it are about, and when no such
 * rule may be made. Pure.
 */
import type { Effect } from '#contract/effect.ts';
import { type EffectRequest, FILE_KINDS, type Lasting } from '#core/approvals/policy/policy.ts';

type Described = Effect<'waiting' | 'settled'>;

/** Ends a text that the image cut. */
const CUT = /… \(\d+ more characters\)$/;

/** The state of what is acted on, which differs from one target to the next and from one moment to the next. */
const STATE = /^(?:overwritten )?(?:size|modified|inode|hard links|directory)$/;
/** Facts that are told beside a digest of the same file. */
const BESIDE_DIGEST = /^(?:program|input|file .*) (?:size|modified)$/;

/** The temporary folder of an image. Its own threads write there without being asked, so that what is there when it is used again need not be what was approved. */
const OWN_TEMPORARY = /\/lisp-workbench-\d+-\w{6}(?:\/|$)/;

/** A card or a rule for these says nothing about the next one: they go by numbers, or by what no digest is told of. */
const ALWAYS_ANOTHER = new Set(['foreign', 'signal', 'process', 'device', 'save-image']);

/** The question that policy answers about an effect. */
export function policyRequestOf(effect: Described): EffectRequest {
  const { kind, path, otherPath, evaluation, system, systemFile } = effect;
  return {
    kind: 'effect',
    effect: kind,
    target: ruleTarget(effect),
    paths: [path, otherPath].filter((each) => each !== null),
    evaluation,
    system,
    madeInMemory: system !== null && systemFile === null,
  };
}

/** Says why nobody can be asked about an effect: a yes would cover what the card could not show. Null when all of it can be shown. */
export function unshowable({ target, facts }: Described): string | null {
  if (CUT.test(target)) return 'it is longer than a person can be shown, so nobody can be asked about it';
  const cut = facts.find(({ value }) => CUT.test(value));
  return cut && !isDigested(cut.name, facts)
    ? `its ${cut.name} is longer than a person can be shown, so nobody can be asked about it`
    : null;
}

/** The facts that decide what is done, without the state of the target. */
function decisive({ facts }: Described): Effect<'waiting'>['facts'] {
  return facts.filter(({ name }) => !STATE.test(name));
}

/** Effects of one evaluation with the same key can share a card: only the target differs, and its state. */
export function kindOf(effect: Described): string {
  const { kind, operator, change, system, definedBy } = effect;
  return isCovered(effect)
    ? JSON.stringify(['system', system])
    : JSON.stringify([kind, operator, change, decisive(effect), system, definedBy?.actor, definedBy?.events]);
}

/**
 * True when a yes to the load of its system is for the effect too. Code that made a system in the image has vouched for nothing, and what
 * an agent defined is asked about by itself where the person calls it.
 */
export function isCovered({ kind, system, systemFile, definedBy }: Described): boolean {
  return system !== null && definedBy === null && (systemFile !== null || FILE_KINDS.has(kind));
}

/** The text that a rule is matched with: the target and all that decides what is done to it. */
function ruleTarget(effect: Described): string {
  const how = decisive(effect)
    .filter(({ name }) => !BESIDE_DIGEST.test(name))
    .map(({ name, value }) => (name === 'change' ? value : `${name} ${value}`));
  return how.length === 0 ? effect.target : `${effect.target} (${how.join(', ')})`;
}

/** `free` tells paths that agents' code may write without being asked. */
export function lasting(effect: Described, free: (path: string) => boolean): Lasting {
  const { kind, path, otherPath, facts } = effect;
  const value = (name: string): string | undefined => facts.find((each) => each.name === name)?.value;
  const isFree = (name: string): boolean => OWN_TEMPORARY.test(name) || free(name);
  if (ALWAYS_ANOTHER.has(kind) || facts.some((fact) => CUT.test(fact.value))) return 'once';
  if ([path, otherPath].some((each) => each !== null && isFree(each))) return 'once';
  if (kind === 'connect' || kind === 'listen') return 'target';
  if (kind !== 'run-program') return 'evaluation';
  if (value('program SHA-256') === undefined || value('not compared') !== undefined) return 'once';
  const input = value('input from');
  if (input !== undefined && (value('input SHA-256') === undefined || !/^\/(?!.*, from position )/.test(input)))
    return 'once';
  const used = facts.filter(
    ({ name }) => name === 'program' || name === 'working directory' || name === 'input from' || /^file \S/.test(name),
  );
  const undigested = used.some(({ name }) => isFile(name) && value(`${name} SHA-256`) === undefined);
  return undigested || used.some((fact) => isFree(fact.value)) ? 'once' : 'target';
}

/** `file /p/a.sh`, not `file /p/a.sh size`. */
function isFile(name: string): boolean {
  return name.startsWith('file ') && !/ (?:size|modified|inode|SHA-256)$/.test(name);
}

function isDigested(name: string, facts: Described['facts']): boolean {
  return facts.some((fact) => fact.name === `${name} SHA-256`);
}
