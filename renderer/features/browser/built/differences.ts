/** The differences between the image and a build, as rows grouped by kind. Pure. */
import type { BuildComparison, BuildDifference } from '#contract/image/builds.ts';
import { plural } from '#contract/text/text.ts';
import { definitionKey, shownName } from '../../definitions/definition-rows.ts';
import { shownPackage } from '../../../sexp/packages.ts';
import type { TreeRow } from '../../../ui/panels/tree.tsx';

export type DifferenceState = BuildDifference['state'];

export interface GroupRow extends TreeRow {
  readonly type: 'group';
  readonly state: DifferenceState;
}

export interface DifferenceRow extends TreeRow {
  readonly type: 'difference';
  readonly difference: BuildDifference;
}

/** The kinds of differences, in display order. The meaning explains the consequence for the next build. */
export const STATES: readonly { readonly state: DifferenceState; readonly title: string; readonly meaning: string }[] =
  [
    {
      state: 'only-in-image',
      title: 'Only in the image',
      meaning: 'No file defines it, so a new image will lack it and its callers will fail.',
    },
    {
      state: 'different',
      title: 'Different',
      meaning: 'A new image will have the definition in the file instead of this one.',
    },
    {
      state: 'only-in-files',
      title: 'Only in files',
      meaning: 'A new image will have it. This image does not, so nothing here was tested with it.',
    },
  ];

/** Returns the key of a difference within its comparison. */
export function differenceKey({ package: name, definition }: BuildDifference): string {
  return definitionKey(name, definition);
}

export function differenceRows(
  differences: readonly BuildDifference[],
  folded: ReadonlySet<string>,
): (GroupRow | DifferenceRow)[] {
  const groups = STATES.map((each) => ({ ...each, own: differences.filter(({ state }) => state === each.state) }));
  const filled = groups.filter(({ own }) => own.length > 0);
  return filled.flatMap(({ state, title, own }, index) => {
    const group: GroupRow = {
      type: 'group',
      id: state,
      level: 1,
      label: `${title} ${own.length}`,
      expanded: !folded.has(state),
      position: index + 1,
      siblings: filled.length,
      state,
    };
    return group.expanded ? [group, ...own.map((each, place) => rowOf(each, place, own.length))] : [group];
  });
}

function rowOf(difference: BuildDifference, place: number, siblings: number): DifferenceRow {
  const { definition, package: name, words } = difference;
  return {
    type: 'difference',
    id: differenceKey(difference),
    level: 2,
    label: `${shownName(definition.name).toLowerCase()} ${definition.kind.replace('-', ' ')} in ${shownPackage(name)} ${words}`,
    expanded: null,
    position: place + 1,
    siblings,
    difference,
  };
}

/** Describes the outcome of a comparison in a sentence. */
export function comparedWords({ systems, failed, differences, more, compared }: BuildComparison): string {
  const built = `${plural(systems.length, 'system')} built`;
  const count = differences.length + more;
  const outcome = count === 0 ? 'no difference' : plural(count, 'difference');
  const rest = more > 0 ? `, ${differences.length} of them shown` : '';
  const broken = failed.length > 0 ? `, ${failed.length} failed` : '';
  return `${built}${broken}: ${outcome} in ${plural(compared, 'definition')}${rest}`;
}
