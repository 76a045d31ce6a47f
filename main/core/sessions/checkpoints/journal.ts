/**
 * The journal of the running image: the definitions evaluated in it, with their actors and texts, and the loaded systems, in order. If the
 * image dies, the journal describes the lost work and can be replayed.
 */
import { STANDARD_SYMBOLS } from '#contract/sexp/standard-symbols.ts';
import type { Actor } from '#contract/image/session.ts';
import type { SourcePlace } from '#contract/image/evaluation.ts';
import type { PastEffect } from '#contract/decisions/past-effect.ts';
import { detached } from '#contract/text/text.ts';
import type { EvaluatedForm } from '#core/lisp/messages.ts';

export interface JournalEntry {
  readonly actor: Actor;
  /** The operator in upper case: DEFUN, DEFVAR, IN-PACKAGE … */
  readonly operator: string;
  readonly name: string;
  readonly package: string;
  readonly text: string;
  readonly source: SourcePlace | null;
}

/** A loaded system. A replay loads it as the actor that loaded it first. */
export interface LoadedSystem {
  readonly name: string;
  readonly actor: Actor;
  /**
   * Effects outside the image that were denied during the load, as keys from `deniedKey`. A replay denies them again without a question.
   */
  readonly denied: readonly string[];
  /** The files that an agent loaded. The system becomes the person's only once they have loaded all of these files themselves. */
  readonly files?: readonly string[];
}

/** The content of the journal at one point in time. */
export interface JournalState {
  readonly entries: readonly JournalEntry[];
  readonly systems: readonly LoadedSystem[];
}

const STANDARD = new Set(STANDARD_SYMBOLS);

/** The maximum number of characters of definitions; the oldest are removed first. The journal is a safety net, not permanent storage. */
const LIMIT = 8_000_000;

export class Journal {
  /**
   * The entries in order, each under the key of the thing that it defines. A form whose effect depends on its position has a key of its
   * own.
   */
  #entries = new Map<string, JournalEntry>();
  #count = 0;
  #systems: LoadedSystem[] = [];
  #characters = 0;
  /** The most recently returned state; null after a change. */
  #state: JournalState | null = null;
  readonly #recorded: (state: JournalState, actor: Actor | null) => void;

  /** `recorded` receives the new entries of each evaluation, even if there are none, and its actor if known. */
  constructor(recorded: (state: JournalState, actor: Actor | null) => void = () => {}) {
    this.#recorded = recorded;
  }

  get entries(): readonly JournalEntry[] {
    return [...this.#entries.values()];
  }

  get systems(): readonly LoadedSystem[] {
    return this.#systems;
  }

  /** Records the defining forms of an evaluation. A later definition of the same thing replaces the earlier text in its position. */
  record(actor: Actor, code: string, forms: readonly EvaluatedForm[], source: SourcePlace | null): void {
    const entries = forms.flatMap((form): JournalEntry[] => {
      if (form.defines === null) return [];
      const text = detached(code.slice(form.start, form.end));
      const { defines: operator, name, package: pkg } = form;
      return [{ actor, operator, name: name ?? '', package: pkg, text, source: placeOf(form, code, source) }];
    });
    for (const entry of entries) this.#add(entry);
    this.#recorded({ entries, systems: [] }, actor);
  }

  /** Records a loaded system. Earlier evaluations from its `files` are removed, because the loaded files replaced them in the image. */
  recordSystem(system: LoadedSystem, files: readonly string[] = []): void {
    if (files.length > 0) {
      const loaded = new Set(files);
      for (const [key, { source, text }] of this.#entries) {
        if (source === null || !loaded.has(source.file)) continue;
        this.#entries.delete(key);
        this.#characters -= text.length;
      }
    }
    const before = this.#systems.find(({ name }) => name === system.name);
    this.#systems = [...this.#systems.filter((other) => other !== before), loaded(before, system, files)];
    this.#state = null;
    this.#recorded({ entries: [], systems: [system] }, null);
  }

  /** Records a requested system. If it was loaded before, its actor does not change, because none of its code ran this time. */
  recordRequest(system: LoadedSystem): void {
    if (!this.#systems.some(({ name }) => name === system.name)) return this.recordSystem(system);
    this.#recorded({ entries: [], systems: [system] }, null);
  }

  /** Records one definition and removes an earlier one of the same thing. */
  put(entry: JournalEntry): void {
    this.#add(entry);
  }

  /** Removes a form whose definitions have been undone. */
  forget(text: string): void {
    const { entries, systems } = this.state();
    this.restore({ entries: entries.filter((entry) => entry.text !== text), systems });
  }

  clear(): void {
    this.restore({ entries: [], systems: [] });
  }

  state(): JournalState {
    return (this.#state ??= { entries: this.entries, systems: [...this.#systems] });
  }

  /** Returns the entries and systems that came after `state`. */
  since(state: JournalState): JournalState {
    const known = new Set(state.entries);
    return {
      entries: this.entries.filter((entry) => !known.has(entry)),
      systems: this.#systems.filter(({ name }) => !state.systems.some((known) => known.name === name)),
    };
  }

  restore({ entries, systems }: JournalState): void {
    this.#entries = new Map(entries.map((entry) => [this.#keyOf(entry), entry]));
    this.#systems = [...systems];
    this.#state = null;
    this.#characters = this.entries.reduce((sum, { text }) => sum + text.length, 0);
  }

  #add(entry: JournalEntry): void {
    const key = this.#keyOf(entry);
    this.#state = null;
    this.#characters += entry.text.length - (this.#entries.get(key)?.text.length ?? 0);
    this.#entries.set(key, entry); // in the position of the earlier entry
    for (const [oldest, { text }] of this.#entries) {
      if (this.#characters <= LIMIT) return;
      this.#entries.delete(oldest);
      this.#characters -= text.length;
    }
  }

  #keyOf(entry: JournalEntry): string {
    return definitionKey(entry) ?? `${(this.#count += 1)}`;
  }
}

/**
 * Returns a key that is equal for all definitions or registrations of one thing, of which only the last counts. Returns null for methods,
 * which share operator and name with other methods, and for forms that act in sequence.
 */
export function definitionKey({ operator, name, package: pkg }: JournalEntry): string | null {
  const isReplaceable = name !== '' && operator !== 'DEFMETHOD' && !actsInSequence(operator);
  return isReplaceable ? JSON.stringify([operator, name, pkg]) : null;
}

/**
 * Returns true for operators such as IN-PACKAGE or IN-SUITE, which set the package or suite of the following definitions and define nothing
 * themselves.
 */
export function setsPlace(operator: string): boolean {
  return /^(?:IN|USE)-/.test(operator);
}

/** Returns true for operators whose effect depends on their position, such as IN-PACKAGE, DECLAIM, PROGN, or IN-SUITE of a library. */
export function actsInSequence(operator: string): boolean {
  if (operator.startsWith('DEF')) return false;
  return setsPlace(operator) || STANDARD.has(operator.toLowerCase());
}

function placeOf(form: EvaluatedForm, code: string, source: SourcePlace | null): SourcePlace | null {
  if (!source) return null;
  const line = source.line + code.slice(0, form.start).split('\n').length - 1;
  return { file: source.file, offset: source.offset + form.start, line };
}

/** Returns the record of the system after these files were loaded. It includes files that only agents have loaded so far. */
function loaded(before: LoadedSystem | undefined, system: LoadedSystem, files: readonly string[]): LoadedSystem {
  const [earlier, denied] = before?.actor.kind === 'client' ? [before.files ?? [], before.denied] : [[], []];
  if (system.actor.kind === 'client')
    return {
      ...system,
      denied: [...new Set([...denied, ...system.denied])],
      files: [...new Set([...earlier, ...files])],
    };
  const left = earlier.filter((file) => !files.includes(file));
  return before && left.length > 0 ? { ...before, files: left } : system;
}

/** Returns a key for a denied effect, from its operator and target. */
export function deniedKey({ operator, target }: Pick<PastEffect, 'operator' | 'target'>): string {
  return `${operator} ${target}`;
}
