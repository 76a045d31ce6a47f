/**
 * The journal of the living image: the definitions that were evaluated in it, by whom, with their text, and the systems that were
 * loaded, in order. When the image dies this is what was lost and what can be replayed.
 */
import { STANDARD_SYMBOLS } from '#contract/sexp/standard-symbols.ts';
import type { Actor } from '#contract/image/session.ts';
import type { SourcePlace } from '#contract/image/evaluation.ts';
import type { PastEffect } from '#contract/decisions/past-effect.ts';
import { detached } from '#contract/text/text.ts';
import type { EvaluatedForm } from '#core/lisp/messages.ts';

export interface JournalEntry {
  readonly actor: Actor;
  /** DEFUN, DEFVAR, IN-PACKAGE …, upper case. */
  readonly operator: string;
  readonly name: string;
  readonly package: string;
  readonly text: string;
  readonly source: SourcePlace | null;
}

/** A system that was loaded: it is loaded again as whoever loaded it. */
export interface LoadedSystem {
  readonly name: string;
  readonly actor: Actor;
  /** Effects outside the image that were denied while it was loaded, as `deniedKey` names them: these are not asked about again. */
  readonly denied: readonly string[];
  /** Files that an agent had loaded. It becomes the person's once they have loaded all of these: of the others nothing is theirs. */
  readonly files?: readonly string[];
}

/** The content of the journal at one time. */
export interface JournalState {
  readonly entries: readonly JournalEntry[];
  readonly systems: readonly LoadedSystem[];
}

const STANDARD = new Set(STANDARD_SYMBOLS);

/** Beyond this many characters of definitions the oldest are forgotten: the journal is a safety net, not a store. */
const LIMIT = 8_000_000;

export class Journal {
  /** The entries in order, by what they define; a form that acts in sequence has a key of its own. */
  #entries = new Map<string, JournalEntry>();
  #count = 0;
  #systems: LoadedSystem[] = [];
  #characters = 0;
  /** The state as it was returned last, until something is different. */
  #state: JournalState | null = null;
  readonly #recorded: (state: JournalState, actor: Actor | null) => void;

  /** `recorded` is told what is taken in, of each evaluation also where that is nothing, and of whom where that is known. */
  constructor(recorded: (state: JournalState, actor: Actor | null) => void = () => {}) {
    this.#recorded = recorded;
  }

  get entries(): readonly JournalEntry[] {
    return [...this.#entries.values()];
  }

  get systems(): readonly LoadedSystem[] {
    return this.#systems;
  }

  /** Takes in the defining forms of an evaluation. A later definition of the same thing replaces the earlier text in its place. */
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

  /** Takes in a system that was loaded. What was evaluated of its `files` before is not in the image any more: the files are. */
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

  /** Takes in a system that somebody asked for. One that was loaded before stays whose it was: nothing of it ran now. */
  recordRequest(system: LoadedSystem): void {
    if (!this.#systems.some(({ name }) => name === system.name)) return this.recordSystem(system);
    this.#recorded({ entries: [], systems: [system] }, null);
  }

  /** Takes in one definition; an earlier one of the same thing goes. */
  put(entry: JournalEntry): void {
    this.#add(entry);
  }

  /** Forgets a form whose definitions have been undone. */
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
    this.#entries.set(key, entry); // in the place of the earlier one
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
 * Key of a definition or registration, equal for all of one thing, of which the last counts; null for methods, which share operator and
 * name with their siblings, and for what acts in sequence.
 */
export function definitionKey({ operator, name, package: pkg }: JournalEntry): string | null {
  const isReplaceable = name !== '' && operator !== 'DEFMETHOD' && !actsInSequence(operator);
  return isReplaceable ? JSON.stringify([operator, name, pkg]) : null;
}

/** True for operators such as IN-PACKAGE or IN-SUITE, which say where what follows belongs, and define nothing themselves. */
export function setsPlace(operator: string): boolean {
  return /^(?:IN|USE)-/.test(operator);
}

/** True for operators such as IN-PACKAGE, DECLAIM, PROGN, or IN-SUITE of a library: what they do depends on when they do it. */
export function actsInSequence(operator: string): boolean {
  if (operator.startsWith('DEF')) return false;
  return setsPlace(operator) || STANDARD.has(operator.toLowerCase());
}

function placeOf(form: EvaluatedForm, code: string, source: SourcePlace | null): SourcePlace | null {
  if (!source) return null;
  const line = source.line + code.slice(0, form.start).split('\n').length - 1;
  return { file: source.file, offset: source.offset + form.start, line };
}

/** Returns the system after a load of these files, with what is left of what agents loaded of it before. */
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

/** Names an effect that was denied, by what was tried and on what. */
export function deniedKey({ operator, target }: Pick<PastEffect, 'operator' | 'target'>): string {
  return `${operator} ${target}`;
}
