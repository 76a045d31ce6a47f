/** The state of a viewer of the inspector: the visited objects, and the state of the shown one. */
import type { ConditionRecord } from '#contract/image/condition.ts';
import type { PrintedValue } from '#contract/image/evaluation.ts';
import type { InspectedPage, InspectedPart } from '#contract/image/inspection.ts';
import type { OpenedParts } from './part-rows.ts';

export type Drawing = InspectedPage['drawings'][number];

/** A visited object. */
export interface Step {
  readonly id: string;
  readonly handle: number;
  /** The name of the object in the path: the place where it was found, or its label as a part of the previous object. */
  readonly label: string;
  /** True for a part of the previous object; false if the person started a new path. */
  readonly isPart: boolean;
  readonly view: string | null;
  /** The kind of drawing that shows all parts together, such as a plot; null if the parts are shown as a list. */
  readonly drawing: Drawing | null;
  /** The page of the object itself, without parts; null until the image has answered. */
  readonly head: InspectedPage | null;
  readonly state: 'shown' | 'expired' | 'failed';
  readonly problem: string | null;
  /** The parts, by the number of their chunk. */
  readonly chunks: ReadonlyMap<number, readonly InspectedPart[]>;
  readonly opened: OpenedParts;
  /** The labels of the parts that the last refresh changed. */
  readonly changed: ReadonlySet<string>;
  /** The path of the selected part, on which the keys act. */
  readonly selected: readonly number[];
  readonly generation: number;
}

export interface Answer {
  readonly id: string;
  readonly code: string;
  readonly values: readonly PrintedValue[];
  readonly condition: ConditionRecord | null;
  /** The reason why the code returned no value, if the reason is not a condition; otherwise null. */
  readonly problem: string | null;
  readonly ended: boolean;
}

/** The parts that contain the filter's text, as far as the image has searched. */
export interface Finding {
  readonly text: string;
  /** `stopped`: there are more parts, which are searched when the person asks for it. */
  readonly state: 'looking' | 'ended' | 'stopped';
  /** The indexes of the parts in their view, in order. */
  readonly indexes: readonly number[];
  /** The found parts that have been loaded, by index. */
  readonly parts: ReadonlyMap<number, InspectedPart>;
  /** The part at which to continue; null if all parts were searched. */
  readonly next: number | null;
  /** The number of parts that have been searched. `total` is the number of all parts. */
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
  /** The name of an object that was requested and is not shown yet; null if there is none. */
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

/** A step whose object the image has not sent yet. */
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

/** Returns the fields of a step that are set from the first page of its object. */
export function shownPart(page: InspectedPage): Partial<Step> {
  if (page.expired) return { state: 'expired' };
  return { state: 'shown', problem: page.problem, head: { ...page, parts: [] }, chunks: new Map([[0, page.parts]]) };
}

/** Returns the known reason why a part cannot be set; null if setting it can be tried. */
export function placeFault(part: InspectedPart): string | null {
  return part.path === null ? `${part.label} is computed from the object and cannot be set.` : null;
}
