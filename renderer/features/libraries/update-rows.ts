/** The rows of an update: the new, changed and removed projects of a dist, in three groups. Pure. */
import type { DistUpdate } from '#contract/libraries.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';
import { releaseVersion } from './descriptions.ts';

type Part = 'changed' | 'added' | 'removed';

export interface GroupRow extends TreeRow {
  readonly kind: 'group';
  readonly part: Part;
  readonly title: string;
  readonly count: number;
}

export interface ProjectRow extends TreeRow {
  readonly kind: 'project';
  readonly project: string;
  /** The versions before and after, without the name of the project; null for a new or removed project. */
  readonly change: string | null;
  readonly isUsed: boolean;
  /** The installed projects that need a removed project and remain. */
  readonly neededBy: readonly string[];
}

const GROUPS: readonly { readonly part: Part; readonly title: string }[] = [
  { part: 'changed', title: 'Changed' },
  { part: 'added', title: 'New' },
  { part: 'removed', title: 'Removed' },
];

/** Returns the rows of an update. Installed projects come first in each group. Empty groups are left out. */
export function updateRows(
  update: Pick<DistUpdate, Part | 'used'>,
  folded: ReadonlySet<string>,
): (GroupRow | ProjectRow)[] {
  const used = new Set(update.used);
  const groups = GROUPS.filter(({ part }) => update[part].length > 0);
  return groups.flatMap(({ part, title }, index): (GroupRow | ProjectRow)[] => {
    const projects = update[part].map((each) => {
      if (typeof each === 'string') return { project: each, change: null, neededBy: [] };
      if ('neededBy' in each) return { ...each, change: null };
      return { project: each.project, change: changeWords(each), neededBy: [] };
    });
    const sorted = [
      ...projects.filter(({ project }) => used.has(project)),
      ...projects.filter(({ project }) => !used.has(project)),
    ];
    const count = sorted.length;
    const head: GroupRow = {
      kind: 'group',
      id: part,
      level: 1,
      label: `${title} ${count.toLocaleString('en')}`,
      expanded: !folded.has(part),
      position: index + 1,
      siblings: groups.length,
      part,
      title,
      count,
    };
    if (folded.has(part)) return [head];
    return [
      head,
      ...sorted.map(({ project, change, neededBy }, at): ProjectRow => {
        const isUsed = used.has(project);
        return {
          kind: 'project',
          id: `${part} ${project}`,
          level: 2,
          label: [project, change, stateWords({ isUsed, neededBy })].filter((word) => word !== null).join(' '),
          expanded: null,
          position: at + 1,
          siblings: count,
          project,
          change,
          isUsed,
          neededBy,
        };
      }),
    ];
  });
}

/** Returns the number of installed projects that an update changes or removes. */
export function affectedUsed({ changed, removed, used }: Pick<DistUpdate, Part | 'used'>): number {
  const projects = new Set([...changed, ...removed].map(({ project }) => project));
  return used.filter((project) => projects.has(project)).length;
}

/** Returns what the row says about an installed project; null if the project is not installed. */
export function stateWords({ isUsed, neededBy }: Pick<ProjectRow, 'isUsed' | 'neededBy'>): string | null {
  if (!isUsed) return null;
  return neededBy.length > 0 ? `installed, needed by ${neededBy.join(', ')}` : 'installed';
}

function changeWords({ project, before, after }: DistUpdate['changed'][number]): string {
  return `${releaseVersion({ project, release: before })} → ${releaseVersion({ project, release: after })}`;
}
