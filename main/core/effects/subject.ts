/**
 * The identity of an effect: which others may share its card, what policy and a rule made for it are about, and when no such
 * rule may be made. Pure, but for a look into folders that are moved or deleted.
 */
import type { Effect } from '#contract/decisions/effect.ts';
import { type EffectRequest, FILE_KINDS, type Lasting } from '#core/approvals/policy/policy.ts';
import { configuringFile, configuringFileBelow } from '#core/project/configuring-files.ts';

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

/** The question that policy answers about an effect. `project`: the folder of the project. */
export function policyRequestOf(effect: Described, project: string | null = null): EffectRequest {
  const { kind, path, otherPath, evaluation, system, systemFile } = effect;
  return {
    kind: 'effect',
    effect: kind,
    target: ruleTarget(effect),
    paths: [path, otherPath].filter((each) => each !== null),
    evaluation,
    system,
    madeInMemory: system !== null && systemFile === null,
    configures: configuredBy(effect, project),
  };
}

/** Kinds that put something at a path, or change what is there. */
const ALTERING = new Set([...FILE_KINDS, 'save-image']);
/** Facts that name a file which a program writes. */
const WRITTEN = new Set(['output to', 'errors to']);

/** Returns what a file that the effect changes can start in other programs, as a sentence; null for other files. */
function configuredBy({ kind, path, otherPath, facts }: Described, project: string | null): string | null {
  const files = ALTERING.has(kind)
    ? [otherPath, path].filter((each) => each !== null)
    : facts.filter(({ name }) => WRITTEN.has(name)).map(({ value }) => value);
  for (const file of files) {
    const words = configuringFile(file, project);
    if (words !== null) return words;
  }
  return path !== null && (kind === 'delete' || kind === 'rename')
    ? configuringFileBelow(path, project, otherPath)
    : null;
}

/** Says why nobody can be asked about an effect: a yes would cover what the card could not show. Null when all of it can be shown. */
export function unshowable({ target, facts }: Described): string | null {
  if (CUT.test(target)) return 'it is too long to be shown to a person, so it cannot be approved';
  const cut = facts.find(({ name, value }) => CUT.test(value) && !isDigested(name, facts));
  return cut ? `its ${cut.name} is too long to be shown to a person, so it cannot be approved` : null;
}

/** The facts that decide what is done, without the state of the target. */
function decisive({ facts }: Described): Effect<'waiting'>['facts'] {
  return facts.filter(({ name }) => !STATE.test(name));
}

/** Effects of one evaluation with the same key can share a card: only the target differs, and its state. */
export function kindOf(effect: Described, configures: string | null = null): string {
  const { kind, operator, change, system, definedBy } = effect;
  return isCovered(effect, configures)
    ? JSON.stringify(['system', system])
    : JSON.stringify([
        kind,
        operator,
        change,
        decisive(effect),
        system,
        definedBy?.actor,
        definedBy?.events,
        configures,
      ]);
}

/**
 * True when a yes to the load of its system is for the effect too. Code that made a system in the image has vouched for nothing, and what
 * an agent defined is asked about by itself where the person calls it. So is a file that configures other programs: `configures`, as
 * the request of policy has it.
 */
export function isCovered({ kind, system, systemFile, definedBy }: Described, configures: string | null): boolean {
  if (configures !== null) return false;
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
  const undigested = used.some((fact) => isFile(fact) && value(`${fact.name} SHA-256`) === undefined);
  return undigested || used.some((fact) => isFree(fact.value)) ? 'once' : 'target';
}

/** `file a.sh`, whose value is a path, not `file a.sh size`. A file may have any name, also one that ends in ` size`. */
function isFile({ name, value }: Described['facts'][number]): boolean {
  return name.startsWith('file ') && value.startsWith('/');
}

function isDigested(name: string, facts: Described['facts']): boolean {
  return facts.some((fact) => fact.name === `${name} SHA-256`);
}
