/** The differences between two objects, part by part. Parts are matched by their labels. Pure. */
import type { InspectedPart } from '#contract/image/inspection.ts';

export interface ComparedPart {
  readonly label: string;
  readonly here: InspectedPart | null;
  readonly there: InspectedPart | null;
  readonly equal: boolean;
}

/**
 * Returns all parts of both objects in the order of the first, then the parts that only the second has. Parts are equal if they print
 * alike.
 */
export function compareParts(here: readonly InspectedPart[], there: readonly InspectedPart[]): ComparedPart[] {
  const others = new Map<string, InspectedPart[]>();
  for (const part of there) others.set(part.label, [...(others.get(part.label) ?? []), part]);
  const compared = here.map((part): ComparedPart => {
    const other = others.get(part.label)?.shift() ?? null;
    return { label: part.label, here: part, there: other, equal: other !== null && alike(part, other) };
  });
  const alone = there.filter((part) => others.get(part.label)?.includes(part));
  return [...compared, ...alone.map((part) => ({ label: part.label, here: null, there: part, equal: false }))];
}

function alike(one: InspectedPart, other: InspectedPart): boolean {
  return one.state === other.state && one.text === other.text && one.type === other.type;
}

/** Returns the labels of the changed parts; a part that was not known before has not changed. */
export function changedLabels(before: readonly InspectedPart[], after: readonly InspectedPart[]): Set<string> {
  const known = new Map(before.map((part) => [part.label, part]));
  return new Set(
    after.flatMap((part) => {
      const old = known.get(part.label);
      return old && !alike(old, part) ? [part.label] : [];
    }),
  );
}
