/** The rows of the Memory panel: classes by the size of their objects, and objects with the references that keep them alive. Pure. */
import type { HeldObject, MemoryReport, RootPath } from '#contract/image/observation/profiling.ts';
import { counted } from '#contract/text/text.ts';
import type { Held, Reasons } from './held-store.ts';
import type { Moment } from './store.ts';
import { sizeOf } from '../../ui/panels/sizes.ts';
import type { TreeRow } from '../../ui/panels/tree.tsx';

/** The number of classes that are listed at first. */
const FIRST_CLASSES = 100;

/** The column by which classes are sorted; the last two columns belong to a comparison. */
export type Order = 'type' | 'count' | 'bytes' | 'moreObjects' | 'moreBytes';

export interface ClassRow extends TreeRow {
  readonly kind: 'class';
  /** A description of the row, shown as its tooltip. */
  readonly hint: string;
  readonly type: string;
  readonly count: number;
  readonly bytes: number;
  /** The increase in objects and in bytes since the earlier point in time; 0 without a comparison. */
  readonly moreObjects: number;
  readonly moreBytes: number;
}

/** The row below the first classes, which shows the other classes. */
export interface MoreRow extends TreeRow {
  readonly kind: 'more';
}

interface Shown {
  readonly moment: Moment | null;
  readonly filter: string;
  readonly order: Order;
  /** True for all classes, false for the first ones. */
  readonly all: boolean;
}

/** Returns the classes of a report as rows. Classes with the same name, such as a class and its earlier definition, share a row. */
export function classRows(types: MemoryReport['types'], { moment, filter, order, all }: Shown): (ClassRow | MoreRow)[] {
  const now = byName(types);
  const before = byName(moment?.types ?? []);
  const wanted = filter.trim().toLowerCase();
  const names = new Set([...now.keys(), ...before.keys()]);
  const compared = [...names]
    .filter((type) => type.toLowerCase().includes(wanted))
    .map((type) => {
      const { count, bytes } = now.get(type) ?? NONE;
      const earlier = before.get(type) ?? NONE;
      const more =
        moment === null
          ? { moreObjects: 0, moreBytes: 0 }
          : { moreObjects: count - earlier.count, moreBytes: bytes - earlier.bytes };
      return { type, count, bytes, ...more };
    })
    .toSorted((one, other) => (order === 'type' ? 0 : other[order] - one[order]) || (one.type < other.type ? -1 : 1));
  const listed = all ? compared : compared.slice(0, FIRST_CLASSES);
  const left = compared.length - listed.length;
  const siblings = listed.length + (left > 0 ? 1 : 0);
  const place = { level: 1, expanded: null, siblings };
  return [
    ...listed.map((each, index): ClassRow => {
      // The label repeats the drawn text in its order, so that voice control finds the row; the hint has the nouns.
      const growth = moment === null ? [] : [signed(each.moreObjects), signedSize(each.moreBytes)];
      const label = [each.type, each.count.toLocaleString('en'), sizeOf(each.bytes), ...growth].join(', ');
      const grown = moment === null ? '' : `, ${signed(each.moreObjects)} since then`;
      const hint = `${counted(each.count, 'object')} of ${sizeOf(each.bytes)} in total${grown}`;
      return { kind: 'class', id: `class ${each.type}`, ...place, position: index + 1, label, hint, ...each };
    }),
    ...(left > 0
      ? [
          {
            kind: 'more' as const,
            id: 'more',
            ...place,
            position: siblings,
            label: `Show ${left.toLocaleString('en')} more`,
          },
        ]
      : []),
  ];
}

const NONE = { count: 0, bytes: 0 };

function byName(types: MemoryReport['types']): Map<string, { count: number; bytes: number }> {
  const found = new Map<string, { count: number; bytes: number }>();
  for (const { type, count, bytes } of types) {
    const known = found.get(type) ?? NONE;
    found.set(type, { count: known.count + count, bytes: known.bytes + bytes });
  }
  return found;
}

/** Returns a difference with its sign: `+500`, `−3`, `0`. */
export function signed(difference: number): string {
  return difference > 0 ? `+${difference.toLocaleString('en')}` : withMinus(difference.toLocaleString('en'));
}

export function signedSize(difference: number): string {
  if (difference === 0) return '0 B';
  return `${difference > 0 ? '+' : '−'}${sizeOf(Math.abs(difference))}`;
}

function withMinus(text: string): string {
  return text.replace('-', '−');
}

export interface HeldRow extends TreeRow {
  /** `object`: one of the shown objects. `root`: the beginning of a path to it. `step`: an object on the path. `note`: text only. */
  readonly kind: 'object' | 'root' | 'step' | 'note';
  /** The object of the row, or null. */
  readonly object: HeldObject | null;
  /** The text of the row. For a step, `slot` names the part of the object that refers to the next object. */
  readonly text: string;
  readonly slot: string | null;
}

/** Returns objects as rows. Below each object are the paths that lead to it, once they were requested. */
export function heldRows({ objects, reasons, opened }: Pick<Held, 'objects' | 'reasons' | 'opened'>): HeldRow[] {
  const all = objects ?? [];
  return all.flatMap((object, index) => {
    const expanded = opened.has(object.handle);
    const own: HeldRow = {
      kind: 'object',
      id: `object ${object.handle}`,
      level: 1,
      label: object.text,
      expanded,
      position: index + 1,
      siblings: all.length,
      object,
      text: object.text,
      slot: null,
    };
    return expanded ? [own, ...reasonRows(own.id, reasons.get(object.handle) ?? 'asked')] : [own];
  });
}

function reasonRows(id: string, reasons: Reasons): HeldRow[] {
  if (reasons === 'asked') return [noteRow(id, 'Looking for what keeps it alive…')];
  if ('problem' in reasons) return [noteRow(id, reasons.problem)];
  if (reasons.paths.length === 0)
    return [noteRow(id, 'Only this window refers to the object. It can be collected after you close it here.')];
  return reasons.paths.flatMap((path, index) => pathRows(`${id} ${index}`, path, index, reasons.paths.length));
}

function noteRow(id: string, text: string): HeldRow {
  const place = { level: 2, expanded: null, position: 1, siblings: 1 };
  return { kind: 'note', id: `${id} note`, ...place, label: text, object: null, text, slot: null };
}

function pathRows(id: string, { root, steps }: RootPath, index: number, siblings: number): HeldRow[] {
  const text = `Kept alive by ${root}`;
  const row: HeldRow = {
    kind: 'root',
    id,
    level: 2,
    label: text,
    expanded: null,
    position: index + 1,
    siblings,
    object: null,
    text,
    slot: null,
  };
  const below = steps.map((step, at): HeldRow => ({
    kind: 'step',
    id: `${id} ${at}`,
    level: 3,
    label: `${step.slot} of ${step.text}`,
    expanded: null,
    position: at + 1,
    siblings: steps.length,
    object: step,
    text: step.text,
    slot: step.slot,
  }));
  return [row, ...below];
}

/** Returns the generations that are not empty: `0: 1.2 MB · 1: 240 kB · permanent: 19.7 MB`. */
export function generationWords(generations: MemoryReport['generations']): string {
  return generations
    .filter(({ bytes }) => bytes > 0)
    .map(({ generation, bytes, pseudoStatic }) => `${pseudoStatic ? 'permanent' : generation}: ${sizeOf(bytes)}`)
    .join(' · ');
}
