/** The state of a viewer of the inspector: the objects that were looked at, and what is done with the one that is shown. */
import type { ConditionRecord } from '#contract/image/condition.ts';
import type { PrintedValue } from '#contract/image/evaluation.ts';
import type { InspectedPage, InspectedPart } from '#contract/image/inspection.ts';
import type { OpenedParts } from './part-rows.ts';

export type Drawing = InspectedPage['drawings'][number];

/** An object that was looked at. */
export interface Step {
  readonly id: string;
  readonly handle: number;
  /** The name of the object in the path: the place that it was found in, or the part of the object before it. */
  readonly label: string;
  /** True for a part of the object before it; false where the person began anew. */
  readonly isPart: boolean;
  readonly view: string | null;
  /** The way in which all parts are shown together; null for the list of parts. */
  readonly drawing: Drawing | null;
  /** The page of the object itself, without parts; null until the image answered. */
  readonly head: InspectedPage | null;
  readonly state: 'shown' | 'expired' | 'failed';
  readonly problem: string | null;
  /** Parts by the number of their chunk. */
  readonly chunks: ReadonlyMap<number, readonly InspectedPart[]>;
  readonly opened: OpenedParts;
  /** Labels of parts that were others before the last refresh. */
  readonly changed: ReadonlySet<string>;
  /** The path of the part that the keys act on. */
  readonly selected: readonly number[];
  readonly generation: number;
}

export interface Answer {
  readonly id: string;
  readonly code: string;
  readonly values: readonly PrintedValue[];
  readonly condition: ConditionRecord | null;
  /** The reason why it gave no value, where that is no condition; null for none. */
  readonly problem: string | null;
  readonly ended: boolean;
}

/** The parts that have the filter's text in them, as far as the image has looked. */
export interface Finding {
  readonly text: string;
  /** `stopped`: there are more parts, which are looked at when the person says so. */
  readonly state: 'looking' | 'ended' | 'stopped';
  /** The numbers of the parts in their view, in order. */
  readonly indexes: readonly number[];
  /** Found parts that were seen, by number. */
  readonly parts: ReadonlyMap<number, InspectedPart>;
  /** The part to go on from; null when all were looked at. */
  readonly next: number | null;
  /** Parts that were looked at, and parts in all. */
  readonly looked: number;
  readonly total: number;
  readonly problem: string | null;
}

interface Editing {
  readonly path: readonly number[];
  readonly label: string;
  readonly draft: string;
  readonly busy: boolean;
  readonly error: string | null;
}

export interface ViewerState {
  readonly steps: readonly Step[];
  readonly at: number;
  readonly filter: string;
  /** The parts found by the filter; null without a filter. */
  readonly finding: Finding | null;
  readonly editing: Editing | null;
  readonly description: { readonly text: string; readonly cut: number } | null;
  readonly answers: readonly Answer[];
  readonly watching: boolean;
  /** The name of an object that the image was asked for and has not shown yet; null for none. */
  readonly waitsFor: string | null;
}

export const emptyViewer: ViewerState = {
  steps: [],
  at: -1,
  filter: '',
  finding: null,
  editing: null,
  description: null,
  answers: [],
  watching: false,
  waitsFor: null,
};

/** A step before the image has shown its object. */
export const blankStep: Omit<Step, 'id' | 'handle' | 'label'> = {
  isPart: false,
  view: null,
  drawing: null,
  head: null,
  state: 'expired',
  problem: null,
  chunks: new Map(),
  opened: new Map(),
  changed: new Set(),
  selected: [0],
  generation: 0,
};

/** The part of a step that the first page of its object tells. */
export function shownPart(page: InspectedPage): Partial<Step> {
  if (page.expired) return { state: 'expired' };
  return { state: 'shown', problem: page.problem, head: { ...page, parts: [] }, chunks: new Map([[0, page.parts]]) };
}

/** The reason why a part cannot be set, as far as it is known before it is tried. */
export function placeFault(part: InspectedPart): string | null {
  return part.path === null ? `${part.label} is computed from the object and cannot be set.` : null;
}
