/**
 * What the living image was told: the definitions that were evaluated in it, by whom, with their text, and the systems
 * that were loaded, in order. When the image dies this is what was lost and what can be replayed.
 */
import type { Actor } from '#contract/session.ts';
import type { SourcePlace } from '#contract/evaluation.ts';
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

/** What the journal held at one time. */
export interface JournalState {
  readonly entries: readonly JournalEntry[];
  readonly systems: readonly string[];
}

/** Beyond this many characters of definitions the oldest are forgotten: the journal is a safety net, not a store. */
const LIMIT = 8_000_000;

export class Journal {
  #entries: JournalEntry[] = [];
  #systems: string[] = [];
  #characters = 0;

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  get systems(): readonly string[] {
    return this.#systems;
  }

  /** Takes in the defining forms of an evaluation. A later definition of the same thing replaces the earlier text in its place. */
  record(actor: Actor, code: string, forms: readonly EvaluatedForm[], source: SourcePlace | null): void {
    for (const form of forms) {
      if (form.defines === null) continue;
      const text = code.slice(form.start, form.end);
      this.#add({
        actor,
        operator: form.defines,
        name: form.name ?? '',
        package: form.package,
        text,
        source: placeOf(form, code, source),
      });
    }
  }

  recordSystem(system: string): void {
    this.#systems = [...this.#systems.filter((other) => other !== system), system];
  }

  /** Takes in one definition; an earlier one of the same thing goes. */
  put(entry: JournalEntry): void {
    this.#add(entry);
  }

  /** What this form defined has been undone. */
  forget(text: string): void {
    const { entries, systems } = this.state();
    this.restore({ entries: entries.filter((entry) => entry.text !== text), systems });
  }

  clear(): void {
    this.restore({ entries: [], systems: [] });
  }

  state(): JournalState {
    return { entries: [...this.#entries], systems: [...this.#systems] };
  }

  /** What came after `state`. */
  since(state: JournalState): JournalState {
    const known = new Set(state.entries);
    return {
      entries: this.#entries.filter((entry) => !known.has(entry)),
      systems: this.#systems.filter((system) => !state.systems.includes(system)),
    };
  }

  restore({ entries, systems }: JournalState): void {
    this.#entries = [...entries];
    this.#systems = [...systems];
    this.#characters = entries.reduce((sum, { text }) => sum + text.length, 0);
  }

  #add(entry: JournalEntry): void {
    const at = replaceable(entry) ? this.#entries.findIndex((other) => sameDefinition(other, entry)) : -1;
    this.#characters += entry.text.length - (at < 0 ? 0 : this.#entries[at]!.text.length);
    if (at < 0) this.#entries.push(entry);
    else this.#entries[at] = entry;
    while (this.#characters > LIMIT) this.#characters -= this.#entries.shift()!.text.length;
  }
}

/** Methods share their operator and name with their siblings; declarations and package changes act in sequence. */
function replaceable({ operator, name }: JournalEntry): boolean {
  return name !== '' && operator.startsWith('DEF') && operator !== 'DEFMETHOD';
}

function sameDefinition(one: JournalEntry, other: JournalEntry): boolean {
  return one.operator === other.operator && one.name === other.name && one.package === other.package;
}

function placeOf(form: EvaluatedForm, code: string, source: SourcePlace | null): SourcePlace | null {
  if (!source) return null;
  const line = source.line + code.slice(0, form.start).split('\n').length - 1;
  return { file: source.file, offset: source.offset + form.start, line };
}
