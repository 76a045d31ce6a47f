/** Checkpoints in words: what the list says of each, and what going back to one undoes. */
import type { DefinitionEntry } from '#contract/definition.ts';
import type { CheckpointRecord } from '#contract/session.ts';
import { ago } from '../../ui/time.ts';
import { shownName } from '../definitions/model.ts';

/** "3 checkpoints", as the status bar says it. */
export function checkpointCount(count: number): string {
  if (count === 0) return 'no checkpoints';
  return count === 1 ? '1 checkpoint' : `${count} checkpoints`;
}

export function newestFirst(checkpoints: readonly CheckpointRecord[]): CheckpointRecord[] {
  return checkpoints.toReversed();
}

/** "claude-code · 4 min ago · 3.1 MB" */
export function checkpointFacts({ actor, at, memory }: CheckpointRecord, now = Date.now()): string {
  const who = actor.kind === 'person' ? 'you' : actor.name;
  return [who, ago(at, now), memory === null ? null : megabytes(memory)].filter((each) => each !== null).join(' · ');
}

export function megabytes(bytes: number): string {
  const size = bytes / (1024 * 1024);
  return size < 10 ? `${size.toFixed(1)} MB` : `${Math.round(size).toLocaleString('en')} MB`;
}

export interface ChangesByActor {
  /** Null: code that nobody's evaluation ran, such as a timer. */
  actor: string | null;
  /** Each name once, the latest first. */
  names: string[];
}

/** What was defined, by who did it. The person stands first. */
export function changesByActor(entries: readonly DefinitionEntry[]): ChangesByActor[] {
  const found = new Map<string | null, Set<string>>();
  for (const { actor, name } of entries) {
    const names = found.get(actor) ?? new Set();
    found.set(actor, names.add(shownName(name)));
  }
  return [...found]
    .map(([actor, names]) => ({ actor, names: [...names] }))
    .toSorted((left, right) => Number(right.actor === 'person') - Number(left.actor === 'person'));
}

const NAMED = 8;

/** As many names as fit a line or two, and how many there are beyond. */
export function someNames(names: readonly string[]): { shown: string; more: string } {
  const over = names.length - NAMED;
  return { shown: names.slice(0, NAMED).join(', '), more: over > 0 ? ` and ${over} more` : '' };
}

/** What is told once the image is back. */
export function backInWords(label: string, missing: readonly string[]): string {
  const without = missing.length === 0 ? '' : ` What did not come back: ${missing.join(' ')}`;
  return `The image is back at “${label}”.${without}`;
}
