/**
 * Determines which effects may share a card, which text the policy and its rules match, and when no rule may be offered. Pure, except that
 * it looks into folders that are moved or deleted.
 */
import type { Effect } from '#contract/decisions/effect.ts';
import { type EffectRequest, FILE_KINDS, type Lasting } from '#core/approvals/policy/policy.ts';
import { configuringFile, configuringFileBelow } from '#core/project/configuring-files.ts';

type Described = Effect<'waiting' | 'settled'>;

/** Matches the note at the end of a text that the image truncated. */
const CUT = /… \(\d+ more characters\)$/;

/** Matches facts about the target's state, which differ between targets and over time. */
const STATE = /^(?:overwritten )?(?:size|modified|inode|hard links|directory)$/;
/** Matches facts that are redundant, because there is a digest of the same file too. */
const BESIDE_DIGEST = /^(?:program|input|file .*) (?:size|modified)$/;

/**
 * Matches paths in an image's temporary folder. The image's own threads write there without asking, so an approved file may have other
 * content by the time it is used.
 */
const OWN_TEMPORARY = /\/lisp-workbench-\d+-\w{6}(?:\/|$)/;

/**
 * Kinds of effects for which no rule can be offered: their targets are numbers, or data without a digest, so the next effect could be a
 * different one.
 */
const ALWAYS_ANOTHER = new Set(['foreign', 'signal', 'process', 'device', 'save-image']);

/** Returns the policy request for an effect. `project` is the project's folder. */
export function policyRequestOf(effect: Described, project: string | null = null): EffectRequest {
  const { kind, path, otherPath, evaluation, system, systemFile } = effect;
  return {
    kind: 'effect',
    effect: kind,
    target: ruleTarget(effect, project),
    paths: [path, otherPath].filter((each) => each !== null),
    evaluation,
    system,
    madeInMemory: system !== null && systemFile === null,
    configures: configuredBy(effect, project),
  };
}

/** Kinds that create or change a file at a path. */
const ALTERING = new Set([...FILE_KINDS, 'save-image']);
/** Facts that name a file to which a program writes. */
const WRITTEN = new Set(['output to', 'errors to']);

/** Returns a sentence about the programs that start the changed file or read it as configuration; null for other files. */
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

/**
 * Returns the reason why the person cannot be asked about an effect: the approval would include details that the card cannot show. Returns
 * null if the card can show everything.
 */
export function unshowable({ target, facts }: Described): string | null {
  if (CUT.test(target)) return 'it is too long to be shown to a person, so it cannot be approved';
  const cut = facts.find(({ name, value }) => CUT.test(value) && !isDigested(name, facts));
  return cut ? `its ${cut.name} is too long to be shown to a person, so it cannot be approved` : null;
}

/** Returns the facts that determine the action, without those about the target's state. */
function decisive({ facts }: Described): Effect<'waiting'>['facts'] {
  return facts.filter(({ name }) => !STATE.test(name));
}

/**
 * Returns a key for grouping. Effects of the same evaluation with the same key can share a card, because they differ only in the target and
 * its state.
 */
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
 * Returns true if an approval of the system load covers the effect. Not covered are: an effect on anything other than files, if code in the
 * image defined the system and there is no file for it; an effect of an agent's definition that the person calls; and a change of a file
 * that configures other programs (`configures`, from the policy request).
 */
export function isCovered({ kind, system, systemFile, definedBy }: Described, configures: string | null): boolean {
  if (configures !== null) return false;
  return system !== null && definedBy === null && (systemFile !== null || FILE_KINDS.has(kind));
}

/**
 * Returns the text that rules match: the target and all facts that determine the action. For libraries, this is the dist and the project: the
 * core installs only releases that the dist's index describes, so a rule can cover all of them.
 */
function ruleTarget(effect: Described, project: string | null): string {
  if (effect.kind === 'install-libraries')
    return `the dist ${distOf(effect) ?? 'unknown'}${project === null ? '' : ` and the project ${project}`}`;
  const how = decisive(effect)
    .filter(({ name }) => !BESIDE_DIGEST.test(name))
    .map(({ name, value }) => (name === 'change' ? value : `${name} ${value}`));
  return how.length === 0 ? effect.target : `${effect.target} (${how.join(', ')})`;
}

/** Returns the only dist whose releases an effect installs; null if there are several. */
function distOf({ facts }: Described): string | null {
  const [from = ''] = facts.filter(({ name }) => name === 'from').map(({ value }) => value);
  return /^([^\s,]+) [^\s,]+$/.exec(from)?.[1] ?? null;
}

/** Returns which rules a card may offer. `free` returns true for paths to which agents' code may write without asking. */
export function lasting(effect: Described, free: (path: string) => boolean): Lasting {
  const { kind, path, otherPath, facts } = effect;
  const value = (name: string): string | undefined => facts.find((each) => each.name === name)?.value;
  const isFree = (name: string): boolean => OWN_TEMPORARY.test(name) || free(name);
  if (ALWAYS_ANOTHER.has(kind) || facts.some((fact) => CUT.test(fact.value))) return 'once';
  if ([path, otherPath].some((each) => each !== null && isFree(each))) return 'once';
  if (kind === 'connect' || kind === 'listen') return 'target';
  if (kind === 'install-libraries') return distOf(effect) === null ? 'once' : 'target';
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

/**
 * Returns true for a fact such as `file a.sh`, whose value is a path, but not for `file a.sh size`. The name is not sufficient, because a
 * file name may itself end in ` size`.
 */
function isFile({ name, value }: Described['facts'][number]): boolean {
  return name.startsWith('file ') && value.startsWith('/');
}

function isDigested(name: string, facts: Described['facts']): boolean {
  return facts.some((fact) => fact.name === `${name} SHA-256`);
}
