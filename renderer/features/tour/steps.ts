/** The steps of the tour: the text of each, and the events in the window that complete it. Pure. */

/** An event in the window that can complete a step. */
export type Happening =
  | { readonly kind: 'evaluated' }
  | { readonly kind: 'inspected' }
  /** `file` is relative to the project's folder, with slashes. */
  | { readonly kind: 'text-shown'; readonly file: string }
  /** Text was inserted into a file in one edit: typed, completed or pasted. */
  | { readonly kind: 'text-inserted'; readonly file: string; readonly text: string }
  | { readonly kind: 'debugger-entered' }
  | { readonly kind: 'debugger-left' }
  | { readonly kind: 'defined'; readonly name: string }
  | { readonly kind: 'test-passed'; readonly name: string }
  /** A system that is not the tour's own was loaded. */
  | { readonly kind: 'library-loaded' }
  | { readonly kind: 'client-connecting' };

/** A piece of a step's text: plain text, code, or the keys of a command in the chosen keymap. */
export type Words = string | { readonly code: string } | { readonly keys: string };

export type StepId =
  | 'evaluate'
  | 'inspect'
  | 'complete'
  | 'jump'
  | 'debug'
  | 'mend'
  | 'test'
  | 'own-test'
  | 'library'
  | 'agent';

interface TourStep {
  readonly id: StepId;
  readonly title: string;
  readonly words: readonly Words[];
  /** Predicates that accept the events that complete the step, in this order; other events may occur in between. */
  readonly parts: readonly ((happening: Happening) => boolean)[];
}

/** Files of the sample project. */
export const TRY = 'try.lisp';
export const SOURCE = 'src/basket.lisp';
export const TESTS = 'tests/basket.lisp';

/** The tests of the sample project, in lower case as in its text. @internal Exported for its test. */
export const SAMPLE_TESTS: readonly string[] = [
  'total-of-the-basket',
  'average-of-the-basket',
  'average-of-an-empty-basket',
];

const shows =
  (file: string) =>
  (happening: Happening): boolean =>
    happening.kind === 'text-shown' && happening.file === file;
const is =
  (kind: Happening['kind']) =>
  (happening: Happening): boolean =>
    happening.kind === kind;

export const STEPS: readonly TourStep[] = [
  {
    id: 'evaluate',
    title: 'Evaluate a form',
    words: [
      'Put the caret after ',
      { code: '(basket-total *basket*)' },
      ' in try.lisp and press ',
      { keys: 'evaluate.form' },
      '. Its value appears beside it; the text does not change.',
    ],
    parts: [is('evaluated')],
  },
  {
    id: 'inspect',
    title: 'Inspect a value',
    words: [
      'Put the caret after ',
      { code: '(first *basket*)' },
      ' and press ',
      { keys: 'inspect.atCaret' },
      '. The inspector at the right shows the object with its slots, which can be opened and changed.',
    ],
    parts: [is('inspected')],
  },
  {
    id: 'complete',
    title: 'Complete a name',
    words: [
      'At the end of try.lisp type ',
      { code: '(avp' },
      ' or more of ',
      { code: 'average-price' },
      ': the list of names appears automatically, or with ',
      { keys: 'complete.show' },
      '. Insert the name with Tab.',
    ],
    parts: [({ kind, ...rest }) => kind === 'text-inserted' && 'text' in rest && /average-price/i.test(rest.text)],
  },
  {
    id: 'jump',
    title: 'Go to a definition, and back',
    words: [
      'Put the caret on ',
      { code: 'average-price' },
      ' in try.lisp and press ',
      { keys: 'go.definition' },
      ': its definition is shown. Press ',
      { keys: 'go.back' },
      ' to come back.',
    ],
    parts: [shows(SOURCE), shows(TRY)],
  },
  {
    id: 'debug',
    title: 'Meet an error',
    words: [
      'Evaluate ',
      { code: "(average-price '())" },
      ' with ',
      { keys: 'evaluate.form' },
      ': it divides by zero and waits in the debugger. Go there with ',
      { keys: 'view.debugger' },
      ' and take a restart by its number, or leave with ',
      { keys: 'debugger.abort' },
      '.',
    ],
    parts: [is('debugger-entered'), is('debugger-left')],
  },
  {
    id: 'mend',
    title: 'Fix the function',
    words: [
      'In src/basket.lisp, change ',
      { code: 'average-price' },
      ' to return 0 for an empty basket: put ',
      { code: '(if (null basket) 0 …)' },
      ' around the division. Compile it with ',
      { keys: 'evaluate.compileTopLevel' },
      ': the image uses it immediately, without a restart.',
    ],
    parts: [({ kind, ...rest }) => kind === 'defined' && 'name' in rest && /(?:^|:)average-price$/i.test(rest.name)],
  },
  {
    id: 'test',
    title: 'See the test pass',
    words: [
      'Run all tests with ',
      { keys: 'test.all' },
      '. ',
      { code: 'average-of-an-empty-basket' },
      ' would have failed before, but now passes. The panel Tests shows each test.',
    ],
    parts: [(happening) => happening.kind === 'test-passed' && isCalled(happening.name, 'average-of-an-empty-basket')],
  },
  {
    id: 'own-test',
    title: 'Write a test of your own',
    words: [
      'Write ',
      { code: "(deftest total-of-nothing (basket-total '()) 0)" },
      ' above ',
      { code: 'run-tests' },
      ' in tests/basket.lisp, or another test. Run it with ',
      { keys: 'test.atCaret' },
      ': the test is evaluated in the image, and passes.',
    ],
    parts: [
      (happening) =>
        happening.kind === 'test-passed' && !SAMPLE_TESTS.some((sample) => isCalled(happening.name, sample)),
    ],
  },
  {
    id: 'library',
    title: 'Load a library',
    words: [
      'Show Libraries with ',
      { keys: 'view.libraries' },
      '. ',
      'Set Up Quicklisp, if you do not have it, downloads its client and its list of about 2,000 projects. Search for ',
      { code: 'alexandria' },
      ' and choose Load: the library is installed, and loaded into the image. Without network, go to the next step.',
    ],
    parts: [is('library-loaded')],
  },
  {
    id: 'agent',
    title: 'Let an agent ask',
    words: [
      'Connect an AI client with ',
      { keys: 'client.connect' },
      '. The client works in the same image as you. When it wants to write a file or run a program, a card appears in Review (',
      { keys: 'review.show' },
      '). Nothing happens until you approve it.',
    ],
    parts: [is('client-connecting')],
  },
];

/** The person's position in the tour. */
export interface TourPlace {
  readonly step: StepId;
  /** The number of parts of the step that are done. */
  readonly part: number;
  readonly done: readonly StepId[];
}

export const FIRST_PLACE: TourPlace = { step: STEPS[0]!.id, part: 0, done: [] };

/** Returns the position after an event. A completed step stays visible until the person continues. */
export function advance(place: TourPlace, happening: Happening): TourPlace {
  const { parts } = stepOf(place.step);
  if (place.done.includes(place.step) || !parts[place.part]?.(happening)) return place;
  const part = place.part + 1;
  return part < parts.length ? { ...place, part } : { ...place, part: 0, done: [...place.done, place.step] };
}

/** Returns the position at the step that is `by` steps away; null before the first step and after the last. */
export function stepBy(place: TourPlace, by: -1 | 1): TourPlace | null {
  const next = STEPS[indexOf(place.step) + by];
  return next ? { ...place, step: next.id, part: 0 } : null;
}

export function stepOf(id: StepId): TourStep {
  return STEPS[indexOf(id)]!;
}

export function indexOf(id: StepId): number {
  return STEPS.findIndex((step) => step.id === id);
}

export function isStepId(id: string): id is StepId {
  return STEPS.some((step) => step.id === id);
}

function isCalled(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted;
}
