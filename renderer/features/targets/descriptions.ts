/** The texts of the targets dialog, and the checks that are made before a target is stored. Pure. */
import { MOST_TARGETS } from '#contract/limits.ts';
import type { Target, TargetKind } from '#contract/target.ts';

/** The texts about a kind of target and its place. */
interface KindWords {
  readonly kind: TargetKind;
  readonly title: string;
  readonly place: string;
  readonly placeholder: string;
  readonly placeWords: string;
  readonly optionsPlaceholder: string;
}

export const KINDS: readonly KindWords[] = [
  {
    kind: 'ssh',
    title: 'ssh',
    place: 'Host',
    placeholder: 'user@host',
    placeWords:
      'A destination for ssh, or a host name from ~/.ssh/config. Passwords are not supported: use a key or an ssh agent.',
    optionsPlaceholder: '-p 2222',
  },
  {
    kind: 'docker',
    title: 'Docker',
    place: 'Container',
    placeholder: 'lisp',
    placeWords: 'The name or id of a running container.',
    optionsPlaceholder: '--user dev',
  },
  {
    kind: 'podman',
    title: 'Podman',
    place: 'Container',
    placeholder: 'lisp',
    placeWords: 'The name or id of a running container.',
    optionsPlaceholder: '--user dev',
  },
  {
    kind: 'kubectl',
    title: 'Kubernetes',
    place: 'Pod',
    placeholder: 'lisp-0',
    placeWords: 'The name of a running pod.',
    optionsPlaceholder: '--namespace lisp -c sbcl',
  },
  {
    kind: 'command',
    title: 'Command',
    place: 'Command',
    placeholder: 'buildah run lisp --',
    placeWords: 'A program that runs the command that follows it, with its own input and output.',
    optionsPlaceholder: '',
  },
];

export function kindWords(kind: TargetKind): KindWords {
  return KINDS.find((each) => each.kind === kind)!;
}

/** A target with empty fields. */
export const EMPTY: Target = { name: '', kind: 'ssh', place: '', options: '', directory: '', sbcl: 'sbcl' };

/** Describes a target on one line: how it is reached, and the project's folder on it. */
export function targetWords({ kind, place, directory }: Target): string {
  return [kindWords(kind).title, place, ...(directory === '' ? [] : [directory])].join(' · ');
}

/** The problems with the fields of the form, by field name. */
export type TargetProblems = Partial<Record<'name' | 'place' | 'directory' | 'sbcl', string>>;

/** Returns the problems with `draft`, which is to be stored together with `others`; empty if it can be stored. */
export function targetProblems(draft: Target, others: readonly Target[]): TargetProblems {
  const { place } = kindWords(draft.kind);
  const name = draft.name.trim();
  const directory = draft.directory.trim();
  return {
    ...(name === '' ? { name: 'Enter a name for the target.' } : {}),
    ...(others.some((other) => other.name === name) ? { name: `A target ${name} already exists.` } : {}),
    ...(others.length >= MOST_TARGETS
      ? { name: `There can be at most ${MOST_TARGETS} targets. Remove one first.` }
      : {}),
    ...(draft.place.trim() === '' ? { place: `${place} is needed.` } : {}),
    ...(draft.place.trim().startsWith('-') && draft.kind !== 'command'
      ? { place: `${place} must begin with a letter or a digit; words that begin with a dash are options.` }
      : {}),
    ...(directory !== '' && !directory.startsWith('/')
      ? { directory: 'Enter the absolute path, beginning with /.' }
      : {}),
    ...(draft.sbcl.trim() === '' ? { sbcl: 'Enter a program name or an absolute path.' } : {}),
  };
}

/** Returns `draft` as it is stored, without whitespace around its fields. */
export function trimmed(draft: Target): Target {
  return {
    name: draft.name.trim(),
    kind: draft.kind,
    place: draft.place.trim(),
    options: draft.options.trim(),
    directory: draft.directory.trim(),
    sbcl: draft.sbcl.trim(),
  };
}

interface Chosen {
  readonly targets: Target[];
  readonly sharedTarget: string;
  readonly clientsTarget: string;
}

/**
 * Returns the settings with `kept` in place of the target named `before`, or with `kept` added if there is no such target. Images that run
 * at the old name are changed to the new one.
 */
export function withTarget(
  { targets, sharedTarget, clientsTarget }: Chosen,
  kept: Target,
  before: string | null,
): Chosen {
  const renamed = (name: string): string => (name !== '' && name === before ? kept.name : name);
  const known = targets.some(({ name }) => name === before);
  return {
    targets: known ? targets.map((each) => (each.name === before ? kept : each)) : [...targets, kept],
    sharedTarget: renamed(sharedTarget),
    clientsTarget: renamed(clientsTarget),
  };
}

/** Returns the settings without a target. Images that were set to run at this target are changed to run on this machine. */
export function withoutTarget({ targets, sharedTarget, clientsTarget }: Chosen, gone: string): Chosen {
  return {
    targets: targets.filter(({ name }) => name !== gone),
    sharedTarget: sharedTarget === gone ? '' : sharedTarget,
    clientsTarget: clientsTarget === gone ? '' : clientsTarget,
  };
}
