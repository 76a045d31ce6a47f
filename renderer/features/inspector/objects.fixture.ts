/** Objects of an image for the inspector: pages and parts by number, and the results of a filter in limited batches. */
import type { InspectedPage, InspectedPart } from '#contract/image/inspection.ts';
import { reportOf } from '../../image.fixture.ts';
import { answer } from '../../window.fixture.tsx';

/** An object whose parts are created only when they are requested, because there may be a million. */
export interface FakeObject {
  /** The object's printed representation. */
  readonly text: string;
  readonly page?: Partial<InspectedPage>;
  readonly total?: number;
  readonly part?: (index: number) => InspectedPart;
  /** The code that returns the object when it is evaluated at the REPL. */
  readonly code?: string;
}

/** The maximum number of parts that one filter request examines, and the maximum number of matches that it returns. */
const LOOKED_AT_ONCE = 400_000;
const FOUND_AT_ONCE = 6_000;

/** Returns a part that the person can open by its handle, and whose value can be set. */
export function partOf(label: string, text: string, handle: number, more: Partial<InspectedPart> = {}): InspectedPart {
  return {
    label,
    text,
    type: 'T',
    state: 'value',
    handle,
    keyHandle: null,
    editable: true,
    path: 0,
    group: null,
    note: null,
    ...more,
  };
}

/** Makes the image return these objects, keyed by handle. All other handles have expired. */
export function holdObjects(objects: Readonly<Record<number, FakeObject>>): void {
  const partsOf = ({ part, total = 0 }: FakeObject, from: number, to: number): InspectedPart[] =>
    part ? Array.from({ length: Math.max(0, Math.min(to, total) - from) }, (_, index) => part(from + index)) : [];
  let last: number | null = null;
  answer({
    'repl.evaluate': ({ evaluation, code }) => {
      const found = Object.entries(objects).find(([, object]) => object.code === code);
      if (!found) throw new Error(`No object of ${code}.`);
      last = Number(found[0]);
      const report = reportOf(evaluation, [found[1].text]);
      return { ...report, values: report.values.map((value) => ({ ...value, handle: last })) };
    },
    'inspector.name': () => ({ handle: last }),
    'inspector.keep': ({ handle }) => ({ handle: objects[handle] ? handle : null }),
    'inspector.release': () => ({}),
    'inspector.page': ({ handle, offset, limit }) => {
      const object = objects[handle];
      if (!object) return expired;
      const { total = 0, text, page } = object;
      return {
        ...expired,
        expired: false,
        title: text,
        type: 'T',
        text,
        views: ['parts'],
        view: 'parts',
        parts: partsOf(object, offset, offset + limit),
        total,
        offset,
        more: offset + limit < total,
        ...page,
      };
    },
    'inspector.find': ({ handle, text, from }) => {
      const object = objects[handle]!;
      const { total = 0, part } = object;
      const found: number[] = [];
      let index = from;
      for (; index < total && index < from + LOOKED_AT_ONCE && found.length < FOUND_AT_ONCE; index += 1) {
        const { label, text: printed } = part!(index);
        if (`${label} ${printed}`.includes(text)) found.push(index);
      }
      return { expired: false, found, next: index < total ? index : null, total, problem: null };
    },
    'inspector.parts': ({ handle, indexes }) => ({
      expired: false,
      parts: indexes.map((index) => objects[handle]!.part!(index)),
    }),
  });
}

const expired: InspectedPage = {
  expired: true,
  kind: 'other',
  title: '',
  type: '',
  text: '',
  cut: 0,
  views: [],
  view: null,
  drawings: [],
  facts: [],
  parts: [],
  total: 0,
  inexact: false,
  offset: 0,
  more: false,
  problem: null,
};
