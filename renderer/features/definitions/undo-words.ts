/** The texts of the undo dialog: the effect of the undo on each definition, and its outcome. */
import { plural } from '#contract/text/text.ts';
import type { UndoRecord } from '#contract/image/definition.ts';
import { shownName } from './definition-rows.ts';

export interface UndoWords {
  /** The extent to which the undo restores the earlier state. */
  kind: 'exact' | 'loss' | 'impossible';
  text: string;
}

const NAMED = 6;

/** Describes the changes that undoing an event would make. */
export function undoWords(record: UndoRecord): UndoWords {
  const { label, why, callers, instances, changedSince } = record;
  const also = changedSince === null ? '' : ' A later change is undone too.';
  switch (label) {
    case 'exact':
      return { kind: 'exact', text: `Exact.${why === null ? '' : ` ${why}`}${also}` };
    case 'recompile':
      return {
        kind: 'exact',
        text: `Exact after recompiling ${plural(callers.length, 'caller')}: ${some(callers)}.${also}`,
      };
    case 'lossy': {
      const live = instances === null ? '' : `${plural(instances, 'instance exists', 'instances exist')}. `;
      return { kind: 'loss', text: `Loses data: ${live}${why ?? ''}${also}`.trim() };
    }
    case 'impossible':
      return { kind: 'impossible', text: `Cannot be undone. ${why ?? ''}`.trim() };
  }
}

/** Returns the name of an undone definition, such as "area", or `event` and the id if the image has forgotten the event. */
export function undoName({ id, name }: UndoRecord): string {
  return name === null ? `event ${id}` : shownName(name);
}

/** Describes the outcome of an undo. `failed` is true if at least one definition was not undone. */
export function outcomeWords(undone: readonly UndoRecord[]): { text: string; failed: boolean } {
  const done = undone.filter((each) => each.done);
  const left = undone.filter((each) => !each.done);
  const parts = [
    done.length === 0 ? 'Nothing was undone.' : `Undone: ${some(done.map(undoName))}.`,
    ...done.flatMap(({ message }) => (message === null ? [] : [message])),
    ...left
      .slice(0, NAMED)
      .map((each) => `Could not undo ${undoName(each)}: ${each.message ?? each.why ?? each.label}`),
    left.length > NAMED ? `${left.length - NAMED} more were not undone.` : '',
  ];
  return { text: parts.filter((part) => part !== '').join(' '), failed: left.length > 0 };
}

/** The outcome of reverting the change of a file. */
export interface TakenBack {
  readonly file: string;
  readonly restored: boolean;
  readonly message: string;
}

export function takenWords(taken: readonly TakenBack[]): { text: string; failed: boolean } {
  const done = [...new Set(taken.filter(({ restored }) => restored).map(({ file }) => file))];
  const left = taken.filter(({ restored }) => !restored);
  const parts = [
    ...(done.length > 0 ? [`Restored: ${some(done)}.`] : []),
    ...left.slice(0, NAMED).map(({ file, message }) => `Could not restore ${file}: ${message}`),
    ...(left.length > NAMED ? [`${left.length - NAMED} more were not restored.`] : []),
  ];
  return { text: parts.join(' '), failed: left.length > 0 };
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => shownName(name));
  return names.length > NAMED ? `${shown.join(', ')} and ${names.length - NAMED} more` : shown.join(', ');
}
