/** Definitions of the image behind the fake core, and actions of the person and of agents on the definitions. */
import type { DefinitionDeviation, DefinitionEntry, DefinitionRecord, UndoRecord } from '#contract/image/definition.ts';
import { answer, type FakeCore } from '../../window.fixture.tsx';

const PACKAGE = 'COMMON-LISP-USER';
const CODER = 'client:claude-code';

/** Returns a definition as the image lists it. The definition has no author unless `parts` names one. */
export function record(name: string, parts: Partial<DefinitionRecord> = {}): DefinitionRecord {
  return {
    kind: 'function',
    name,
    lambdaList: '(R)',
    value: null,
    documentation: null,
    source: null,
    actor: null,
    event: null,
    evaluation: null,
    time: null,
    ...parts,
  };
}

/** Returns a definition that an agent made, with the number of its event. */
export function byAgent(name: string, event: number, parts: Partial<DefinitionRecord> = {}): DefinitionRecord {
  return record(name, { actor: CODER, event, evaluation: 'of-agent', time: Date.now(), ...parts });
}

/** Returns an entry for a definition that is waiting for a review. */
export function waiting(
  { kind, name, actor, event, evaluation, time, source }: DefinitionRecord,
  parts: Partial<DefinitionEntry> = {},
): DefinitionEntry {
  return {
    id: event!,
    kind,
    name,
    package: PACKAGE,
    operation: 'redefined',
    actor,
    author: null,
    code: null,
    evaluation,
    time: time!,
    source,
    hasText: true,
    undoes: null,
    life: 1,
    seen: false,
    reviewed: false,
    ...parts,
  };
}

export function deviating(
  name: string,
  state: DefinitionDeviation['state'],
  file: string | null = '/home/ada/shop/shop.lisp',
): DefinitionDeviation {
  return { kind: name.startsWith('*') ? 'variable' : 'function', name, package: PACKAGE, state, file };
}

/** Returns the record of an undo that is possible, or that was done. */
export function undo(id: number, name: string, parts: Partial<UndoRecord> = {}): UndoRecord {
  return {
    id,
    name,
    kind: 'function',
    package: PACKAGE,
    label: 'exact',
    why: null,
    callers: [],
    instances: null,
    changedSince: null,
    done: false,
    message: null,
    event: null,
    ...parts,
  };
}

/** The image's definitions, and functions with which a test changes them. */
export interface FakeDefinitions {
  /** Sets the listed definitions. */
  list(...definitions: DefinitionRecord[]): void;
  /** Sets the definitions that are waiting for a review. */
  wait(...entries: DefinitionEntry[]): void;
  /** Sets the definitions that differ from their files. */
  deviate(...deviations: DefinitionDeviation[]): void;
  /** The events that the person has marked as reviewed, and that therefore no longer wait for a review. */
  readonly reviewed: number[];
}

/** Gives the core an image whose definitions the test controls. */
export function openDefinitions(core: FakeCore): FakeDefinitions {
  let entries: DefinitionEntry[] = [];
  const reviewed: number[] = [];
  const told: FakeDefinitions = {
    reviewed,
    list: (...definitions) =>
      core.tell('definitions-changed', {
        packages: [{ package: PACKAGE, definitions, more: 0 }],
        removedPackages: [],
      }),
    wait: (...next) => {
      entries = next;
      core.tell('unreviewed-changed', { entries, more: 0 });
    },
    deviate: (...deviations) => core.tell('deviations-changed', { deviations, more: 0, unread: 0 }),
  };
  answer({
    'definitions.review': ({ events }) => {
      reviewed.push(...events.map(({ id }) => id));
      told.wait(...entries.filter(({ id }) => !reviewed.includes(id)));
      return {};
    },
  });
  return told;
}
