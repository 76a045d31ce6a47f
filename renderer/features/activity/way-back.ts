/** Finds the checkpoint before a row, and an agent's undoable definitions since a given time. Pure. */
import type { DefinitionEntry } from '#contract/image/definition.ts';
import type { CheckpointRecord } from '#contract/image/session.ts';
import type { ActivityRow } from './row-model.ts';

/** The longest time between a call's row and the checkpoint taken for that call. */
const SOON_MS = 2_000;

/**
 * Returns the checkpoint taken for this call or evaluation, otherwise the last one before it; null if there is none. For a checkpoint's
 * row, returns that checkpoint.
 */
export function checkpointBefore(
  row: Pick<ActivityRow, 'at' | 'tookMs' | 'actor' | 'checkpoint' | 'detail'>,
  checkpoints: readonly CheckpointRecord[],
): CheckpointRecord | null {
  if (row.checkpoint)
    return checkpoints.findLast(({ at, label }) => label === row.detail && Math.abs(at - row.at) < SOON_MS) ?? null;
  const own = checkpoints.find(
    ({ at, actor, label }) =>
      actor.id === row.actor.id &&
      label.startsWith('before ') &&
      at >= row.at &&
      at <= row.at + Math.min(row.tookMs ?? SOON_MS, SOON_MS),
  );
  return own ?? checkpoints.findLast(({ at }) => at <= row.at) ?? null;
}

/**
 * Returns the ids of an agent's definition events that can be undone, newest first. Leaves out events that have been undone, and events
 * that undo another event.
 */
export function standingEvents(entries: readonly DefinitionEntry[], actor: string): number[] {
  const undone = new Set(entries.flatMap(({ undoes }) => undoes ?? []));
  return entries
    .filter((entry) => entry.actor === actor && entry.undoes === null && !undone.has(entry.id))
    .map(({ id }) => id);
}
