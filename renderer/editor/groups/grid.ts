/** The division of the editor's area into groups: either one group's id, or two parts side by side or one above the other. Pure. */
import * as z from 'zod/mini';

/** `right`: the second part is to the right of the first; `down`: below it. */
export type Direction = 'right' | 'down';

interface Division {
  readonly direction: Direction;
  /** The first part's fraction of the area, between 0 and 1. */
  readonly share: number;
  readonly first: Grid;
  readonly second: Grid;
}

export type Grid = string | Division;

/** The smallest useful fraction of a part. The next constant is the largest. */
const LEAST = 0.1;
const MOST = 0.9;

export const gridShape: z.ZodMiniType<Grid> = z.lazy(() =>
  z.union([
    z.string().check(z.minLength(1), z.maxLength(64)),
    z.object({
      direction: z.enum(['right', 'down']),
      share: z.number().check(z.minimum(LEAST), z.maximum(MOST)),
      first: gridShape,
      second: gridShape,
    }),
  ]),
);

/** A rectangle in fractions of the whole area. */
export interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The edge between the two parts of a division. Its path lists the steps that lead to the division: `1` for a first part, `2` for a second
 * one.
 */
export interface Edge {
  readonly path: string;
  readonly direction: Direction;
  readonly share: number;
  /** The area that the two parts share. */
  readonly around: Place;
}

const WHOLE: Place = { left: 0, top: 0, width: 1, height: 1 };

/** Returns the ids of the groups, from left to right and top to bottom. */
export function groupsIn(grid: Grid): string[] {
  return typeof grid === 'string' ? [grid] : [...groupsIn(grid.first), ...groupsIn(grid.second)];
}

/** Returns the area of each group. */
export function placesOf(grid: Grid, around: Place = WHOLE): Map<string, Place> {
  if (typeof grid === 'string') return new Map([[grid, around]]);
  const [first, second] = partsOf(grid, around);
  return new Map([...placesOf(grid.first, first), ...placesOf(grid.second, second)]);
}

export function edgesOf(grid: Grid, around: Place = WHOLE, path = ''): Edge[] {
  if (typeof grid === 'string') return [];
  const [first, second] = partsOf(grid, around);
  const { direction, share } = grid;
  return [
    { path, direction, share, around },
    ...edgesOf(grid.first, first, `${path}1`),
    ...edgesOf(grid.second, second, `${path}2`),
  ];
}

function partsOf({ direction, share }: Division, { left, top, width, height }: Place): [Place, Place] {
  return direction === 'right'
    ? [
        { left, top, width: width * share, height },
        { left: left + width * share, top, width: width * (1 - share), height },
      ]
    : [
        { left, top, width, height: height * share },
        { left, top: top + height * share, width, height: height * (1 - share) },
      ];
}

/** Divides a group's area into halves, the second of which belongs to a new group. */
export function divided(grid: Grid, group: string, direction: Direction, fresh: string): Grid {
  if (typeof grid === 'string') return grid === group ? { direction, share: 0.5, first: grid, second: fresh } : grid;
  return {
    ...grid,
    first: divided(grid.first, group, direction, fresh),
    second: divided(grid.second, group, direction, fresh),
  };
}

/** Removes a group; the other part of its division gets the area. Returns null if the group was the only one. */
export function withoutGroup(grid: Grid, group: string): Grid | null {
  if (typeof grid === 'string') return grid === group ? null : grid;
  const first = withoutGroup(grid.first, group);
  const second = withoutGroup(grid.second, group);
  if (first === null || second === null) return first ?? second;
  return { ...grid, first, second };
}

/** Moves an edge by setting the fraction of the division's first part, within the allowed limits. */
export function resized(grid: Grid, path: string, share: number): Grid {
  if (typeof grid === 'string') return grid;
  if (path === '') return { ...grid, share: Math.min(Math.max(share, LEAST), MOST) };
  const rest = path.slice(1);
  return path.startsWith('1')
    ? { ...grid, first: resized(grid.first, rest, share) }
    : { ...grid, second: resized(grid.second, rest, share) };
}
