/**
 * Completion in the editor. The image offers local names, keywords of the call, symbols and packages. If it is slow or missing, the list
 * first shows names known without it: words in the text, definitions in the mirror, and standard symbols.
 */
import type { Completion } from '#contract/image/introspection.ts';
import { filledDocstring } from '../../sexp/reading/docstrings.ts';
import { STANDARD_SYMBOLS } from '#contract/sexp/standard-symbols.ts';
import { drawable } from '#contract/text/visible.ts';
import { textHead } from '../../ui/text-head.ts';
import { mirror } from '../../base/mirror.ts';
import { askImage, LONG_PATIENCE_MS } from '../../base/image/names.ts';
import { designatorBefore } from '../../sexp/designators.ts';
import { fuzzyScore } from '../../sexp/fuzzy.ts';
import { shownPackage } from '../../sexp/packages.ts';
import { typedBefore } from '../../sexp/symbols.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';
import { formNear, packageNear } from './context.ts';
import { designatedNames } from './designated-completion.ts';
import { templateItem } from './templates.ts';

const LIMIT = 200;
/** Milliseconds to wait for the image before names known without it are shown. */
const AT_ONCE_MS = 120;

type Answer = Awaited<ReturnType<typeof askImage<'names.complete'>>>;

/** The image's late answer, which arrived after other names were shown, with the version and the offset for which it was requested. */
let late: { model: monaco.editor.ITextModel; version: number; offset: number; answer: Answer } | null = null;

type Item = monaco.languages.CompletionItem;

/** Kinds of names and their icons, the most informative first. */
const KINDS: readonly [string, keyof typeof monaco.languages.CompletionItemKind][] = [
  ['local-variable', 'Variable'],
  ['local-function', 'Function'],
  ['loop-word', 'Keyword'],
  ['keyword', 'EnumMember'],
  ['package', 'Module'],
  ['class', 'Class'],
  ['structure', 'Struct'],
  ['condition', 'Event'],
  ['macro', 'Snippet'],
  ['special-operator', 'Keyword'],
  ['generic-function', 'Method'],
  ['function', 'Function'],
  ['constant', 'Constant'],
  ['variable', 'Variable'],
  ['type', 'TypeParameter'],
];
/** The number of requests so far. When the running request has ended, only the newest one is sent. */
let questions = 0;
let underWay: Promise<unknown> = Promise.resolve();

/** The text and its version for which no names were found, so that no list is open. */
let empty: { model: monaco.editor.ITextModel; version: number } | null = null;

export function installCompletion(): monaco.IDisposable {
  return monaco.languages.registerCompletionItemProvider(LISP, {
    triggerCharacters: [':', '-', '*', '+', '/'],
    provideCompletionItems: (model, place, { triggerKind }, token) => provide(model, place, triggerKind, token),
  });
}

async function provide(
  model: monaco.editor.ITextModel,
  place: monaco.Position,
  trigger: monaco.languages.CompletionTriggerKind,
  token: monaco.CancellationToken,
): Promise<monaco.languages.CompletionList | null> {
  const typed = typedBefore(model.getLineContent(place.lineNumber), place.column - 1);
  const asked = trigger === monaco.languages.CompletionTriggerKind.Invoke;
  if (typed.text === '' && !asked) return null;
  const around = formNear(model, place);
  const designator = around && designatorBefore(around.text.slice(0, around.offset));
  if (designator && designator.kind !== 'string') return designatedNames(model, place, designator);
  // In other strings, names are completed only on request.
  if (designator && controllerOf(model)?.model.state !== ASKED_FOR) return null;
  const inPackage = packageNear(model, place.lineNumber);
  const answer = await answerFor(model, place, () =>
    askImage(
      'names.complete',
      {
        prefix: typed.text,
        package: inPackage,
        text: around?.text ?? null,
        offset: around?.offset ?? null,
        limit: LIMIT,
      },
      LONG_PATIENCE_MS,
    ),
  );
  if (token.isCancellationRequested) return null;
  // If the user has started the next word in the meantime, the editor would use these items for that word and not request others.
  if (hasLeftWord(model, place.lineNumber, typed.start)) return { suggestions: [] };
  const completions = answer?.completions ?? knownCompletions(typed.text, inPackage, model, place.lineNumber);
  const line = place.lineNumber;
  const range = {
    insert: new monaco.Range(line, typed.start + 1, line, place.column),
    replace: new monaco.Range(line, typed.start + 1, line, endOfSymbol(model, place)),
  };
  const suggestions = completions.flatMap((completion, rank) => {
    const item = itemOf(completion, rank, typed.text, range);
    const template = isStandard(completion) ? templateItem(model, place, item) : null;
    return template === null ? [item] : [item, template];
  });
  empty = suggestions.length === 0 ? { model, version: model.getVersionId() } : null;
  // The image ranks completions by the typing habits of Lisp programmers. Request the list again after each character, to preserve the
  // image's order.
  return { suggestions, incomplete: true };
}

/** True if the caret is no longer in the word of the line that starts at column offset `start`. */
function hasLeftWord(model: monaco.editor.ITextModel, line: number, start: number): boolean {
  const editor = monaco.editor.getEditors().find((each) => each.getModel() === model && each.hasTextFocus());
  const caret = editor?.getPosition();
  return caret?.lineNumber === line && typedBefore(model.getLineContent(line), caret.column - 1).start !== start;
}

/** Returns the image's answer if it comes quickly, otherwise null. A late answer is stored, and the list is requested again. */
async function answerFor(
  model: monaco.editor.ITextModel,
  place: monaco.Position,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const [version, offset] = [model.getVersionId(), model.getOffsetAt(place)];
  const isHere = (kept: typeof late): boolean =>
    kept?.model === model && kept.version === version && kept.offset === offset;
  if (late && isHere(late)) return late.answer;
  late = null;
  // While the user types fast, only the latest request is sent, because the image searches all names for each request.
  questions += 1;
  const question = questions;
  const asking = underWay.then(() => (question === questions ? ask() : null));
  underWay = asking;
  const timer = Promise.withResolvers<'late'>();
  const timeout = setTimeout(timer.resolve, AT_ONCE_MS, 'late');
  const first = await Promise.race([asking, timer.promise]);
  clearTimeout(timeout);
  if (first !== 'late') return first;
  void asking.then((answer) => {
    if (answer === null || model.isDisposed()) return;
    // If the user has typed more in the meantime, this answer no longer applies, and a new one is requested from the image.
    late = { model, version, offset, answer };
    showAgain(model, place.lineNumber);
  });
  return null;
}

/** The properties of Monaco's internal suggestion list that are used here. State 0 means no list, 1 a list that the user requested. */
interface SuggestController {
  readonly model: { readonly state: number };
  readonly widget: { readonly value: { getFocusedItem(): { readonly index: number } | undefined } };
  triggerSuggest(onlyFrom: undefined, auto: boolean): void;
}

/** The state of a list that the user requested. */
const ASKED_FOR = 1;

function controllerOf(model: monaco.editor.ITextModel): SuggestController | null {
  const editor = monaco.editor.getEditors().find((each) => each.getModel() === model && each.hasTextFocus());
  return (editor?.getContribution('editor.contrib.suggestController') ?? null) as SuggestController | null;
}

/** Requests the list again, unless the person closed it, selected an item in it, or moved to another line. */
function showAgain(model: monaco.editor.ITextModel, line: number): void {
  const editor = monaco.editor.getEditors().find((each) => each.getModel() === model && each.hasTextFocus());
  const controller = controllerOf(model);
  if (!controller || editor?.getPosition()?.lineNumber !== line) return;
  const { state } = controller.model;
  const chosen = (controller.widget.value.getFocusedItem()?.index ?? 0) > 0;
  const wasEmpty = empty?.model === model && empty.version === model.getVersionId();
  if (state === 0 ? wasEmpty : !chosen) controller.triggerSuggest(undefined, state !== ASKED_FOR);
}

function itemOf(completion: Completion, rank: number, typed: string, range: Item['range']) {
  const { text, kinds, lambdaList, documentation } = completion;
  return {
    label: {
      label: drawable(text),
      ...(lambdaList === null ? {} : { detail: ` ${drawable(lambdaList.toLowerCase())}` }),
      ...(completion.package === null ? {} : { description: drawable(shownPackage(completion.package)) }),
    },
    kind: monaco.languages.CompletionItemKind[KINDS.find(([kind]) => kinds.includes(kind))?.[1] ?? 'Text'],
    insertText: text,
    // Make all items match the typed text exactly, so that the editor's order does not replace the image's.
    filterText: typed === '' ? text : typed,
    sortText: String(rank).padStart(5, '0'),
    ...(documentation === null ? {} : { documentation: drawable(textHead(filledDocstring(documentation), 600)) }),
    range,
  } satisfies Item;
}

/** True for a standard name, or for a name whose package is unknown. */
function isStandard(completion: Completion): boolean {
  return completion.package === null || completion.package === 'COMMON-LISP';
}

function endOfSymbol(model: monaco.editor.ITextModel, { lineNumber, column }: monaco.Position): number {
  const rest = /^[^\s()"';`,]*/.exec(model.getLineContent(lineNumber).slice(column - 1));
  return column + (rest?.[0].length ?? 0);
}

/** Returns the completions that need no image, best first. */
function knownCompletions(
  typed: string,
  inPackage: string | null,
  model: monaco.editor.ITextModel,
  line: number,
): Completion[] {
  const scored = new Map<string, Completion>();
  const add = (text: string, kind: string, more: Partial<Completion> = {}): void => {
    const score = fuzzyScore(typed.toLowerCase(), text);
    if (score === null || text === typed.toLowerCase() || (scored.get(text)?.score ?? -1) >= score) return;
    scored.set(text, {
      text,
      kinds: [kind],
      lambdaList: null,
      package: null,
      documentation: null,
      matches: [],
      score,
      ...more,
    });
  };
  for (const name of STANDARD_SYMBOLS) add(name, '', { package: 'COMMON-LISP' });
  for (const [name, { definitions }] of mirror.getState().definitions) {
    if (inPackage !== null && name !== inPackage) continue;
    for (const { name: defined, kind, lambdaList, documentation } of definitions) {
      if (/^[^\s(|]+$/.test(defined))
        add(defined.toLowerCase(), kind, {
          lambdaList,
          package: name,
          documentation: documentation?.split('\n', 1)[0] ?? null,
        });
    }
  }
  for (const word of wordsOf(model, line)) add(word, '');
  return [...scored.values()].toSorted((a, b) => b.score - a.score || a.text.localeCompare(b.text)).slice(0, LIMIT);
}

const words = new WeakMap<
  monaco.editor.ITextModel,
  { version: number; collectedAt: number; words: ReadonlySet<string> }
>();
/**
 * How long, in milliseconds, the collected words of a changing text are reused. Collecting them takes too long to repeat after each key.
 */
const WORDS_GOOD_MS = 5_000;
/** The number of characters from which words are collected. In a longer text, only the start is searched. */
const WORDS_IN = 1_000_000;

/** The number of lines on each side of the caret whose words are collected for each request. */
const LINES_NEAR = 200;

/** Returns the words in a text. Words from the whole text may be a few seconds old; words near a line are current. */
function wordsOf(model: monaco.editor.ITextModel, line: number): ReadonlySet<string> {
  const version = model.getVersionId();
  const known = words.get(model);
  const now = performance.now();
  if (known?.version === version) return known.words;
  if (known && now - known.collectedAt < WORDS_GOOD_MS) {
    const near = new monaco.Range(Math.max(1, line - LINES_NEAR), 1, line + LINES_NEAR, 1);
    return known.words.union(wordsIn(model.getValueInRange(near).slice(0, WORDS_IN)));
  }
  const found = wordsIn(model.getValue().slice(0, WORDS_IN));
  words.set(model, { version, collectedAt: now, words: found });
  return found;
}

function wordsIn(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[^\s()"';`,#|\\:]{3,60}/g));
}
