/** Descriptions of checkpoints, and of the changes that are undone by going back to one. */
import { plural } from '#contract/text/text.ts';
import type { DefinitionEntry } from '#contract/image/definition.ts';
import type { CheckpointRecord } from '#contract/image/session.ts';
import { ago } from '../../ui/time.ts';
import { shownName } from '../definitions/definition-rows.ts';

/** Describes the number of checkpoints, such as "3 checkpoints". */
export function checkpointCount(count: number): string {
  if (count === 0) return 'no checkpoints';
  return plural(count, 'checkpoint');
}

export function newestFirst(checkpoints: readonly CheckpointRecord[]): CheckpointRecord[] {
  return checkpoints.toReversed();
}

/** Describes a checkpoint, such as "claude-code · 4 min ago · 3.1 MB". */
export function checkpointFacts({ actor, at, memory }: CheckpointRecord, now = Date.now()): string {
  const who = actor.kind === 'person' ? 'you' : actor.name;
  return [who, ago(at, now), memory ? megabytes(memory) : null].filter((each) => each !== null).join(' · ');
}

function megabytes(bytes: number): string {
  const size = bytes / (1024 * 1024);
  return size < 10 ? `${size.toFixed(1)} MB` : `${Math.round(size).toLocaleString('en')} MB`;
}

export interface ChangesByActor {
  /** The id of the actor; null for code outside an evaluation, such as a timer's. */
  actor: string | null;
  /** Names of the definitions, without duplicates, the latest first. */
  names: string[];
}

/** Returns the names of changed definitions by actor, the person first. */
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

/** Returns as many names as fit into a line or two, and text such as "and 3 more". */
export function someNames(names: readonly string[]): { shown: string; more: string } {
  const over = names.length - NAMED;
  return { shown: names.slice(0, NAMED).join(', '), more: over > 0 ? ` and ${over} more` : '' };
}

/** Returns the notice that the image has gone back. */
export function backInWords(label: string, missing: readonly string[]): string {
  const without = missing.length === 0 ? '' : ` Not restored: ${missing.join(' ')}`;
  return `The image is back at “${label}”.${without}`;
}
