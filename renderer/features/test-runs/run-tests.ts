/**
 * Runs tests from the editor. If a form was edited after it was last sent to the image, evaluates the form first, because the person
 * expects the current text to run.
 */
import { evaluate, ended } from '../../base/image/evaluations.ts';
import { notify } from '../../base/notices/notices.tsx';
import { shownName } from './outcomes.ts';
import { isInProject, loadProjectTests } from './project-tests.ts';
import { refreshTests, runTests, testNamed, tests } from './store.ts';
import { mirror } from '../../base/mirror.ts';
import { namingCallsIn, type TestForm, testFormAt, testFormsIn } from '../../sexp/reading/test-forms.ts';
import { activeEditor, readingOf } from '../../editor/groups/active-editor.ts';
import { activeBuffer, bufferOf, buffers, modelOf, type TextBuffer } from '../../editor/text/buffers.ts';
import { isLarge } from '../../editor/text/large-texts.ts';
import { LISP } from '../../editor/monaco/language.ts';
import { isListedMacro } from '../../editor/providers/macro-defined.ts';
import type { monaco } from '../../editor/monaco/monaco.ts';
import { showReport, showRunning } from '../evaluate/results.ts';

type Model = monaco.editor.ITextModel;

/** The source texts from which the image's tests were defined, by test id, each with the version of the test that it belongs to. */
const had = new Map<string, { readonly version: number; readonly text: string }>();

/**
 * The versions of the tests that the image already had at the first request, for example after going back to a checkpoint. The source texts
 * of these versions are unknown.
 */
let unknown: ReadonlyMap<string, number> = new Map();

/**
 * Starts to record the source texts from which tests are defined: the texts of saved files at the time of a definition, and evaluated
 * texts.
 */
export function followTestTexts(): void {
  tests.subscribe((state, before) => {
    if (state.pid !== before.pid) {
      had.clear();
      unknown = new Map(state.tests.map(({ id, version }) => [id, version]));
    }
    if (state.tests !== before.tests) noteTexts();
  });
  buffers.subscribe((state, before) => {
    if (state.buffers.length !== before.buffers.length) noteTexts();
  });
}

function noteTexts(): void {
  if (tests.getState().tests.length === 0) return;
  for (const buffer of buffers.getState().buffers) {
    const model = modelOf(buffer.id);
    if (model) for (const form of formsOf(model)) noteText(buffer, model, form);
  }
}

function noteText({ dirty }: TextBuffer, model: Model, form: TestForm): void {
  const test = testNamed(form.name, packageOf(form));
  if (!test || had.get(test.id)?.version === test.version || unknown.get(test.id) === test.version) return;
  const text = textOf(model, form);
  if (!dirty || ended.getState().code?.includes(text)) had.set(test.id, { version: test.version, text });
  else had.delete(test.id);
}

/**
 * Returns the test forms of a text, including calls of the person's own macros if the image has the tests that these calls define. Returns
 * none if the text is too large to be parsed as a whole.
 */
export function formsOf(model: Model): readonly TestForm[] {
  if (model.getLanguageId() !== LISP || isLarge(model)) return [];
  const { text, reading } = readingOf(model);
  const known = testFormsIn(text, reading);
  if (tests.getState().tests.length === 0) return known;
  const { definitions } = mirror.getState();
  const byMacro = namingCallsIn(text, reading).filter(
    (call) => isListedMacro(call.operator, definitions) && testNamed(call.name, packageOf(call)) !== null,
  );
  return byMacro.length === 0 ? known : [...known, ...byMacro].toSorted((one, other) => one.start - other.start);
}

/** Returns the package in which a test is looked up: the text's package, otherwise the current package of the first REPL. */
export function packageOf(form: TestForm): string {
  return form.package ?? mirror.getState().session.package;
}

function textOf(model: Model, { start, end }: TestForm): string {
  return readingOf(model).text.slice(start, end);
}

/** Removes the last notification about tests that were not run. */
let takeBack: (() => void) | null = null;

/** Shows the reason why no test runs. The notification stays until a test is run. */
function refuse(why: string, kind: 'info' | 'error' = 'info'): void {
  takeBack?.();
  takeBack = notify(why, kind);
}

/** Runs the test around the caret. */
export async function runTestAtCaret(debug: boolean): Promise<void> {
  const model = activeEditor()?.getModel();
  const position = activeEditor()?.getPosition();
  if (!model || !position) return;
  const form = testFormAt(formsOf(model), model.getOffsetAt(position));
  if (!form)
    return refuse(
      'There is no test at the caret. Put the caret into a form such as (test name …) or (deftest name …).',
    );
  await runForms(model, [form], debug);
}

/** Runs the tests of the shown text. */
export async function runTestsOfText(): Promise<void> {
  const model = activeEditor()?.getModel();
  if (!model) return;
  const forms = formsOf(model);
  if (forms.length === 0) return refuse(`${activeBuffer()?.title ?? 'The text'} has no tests.`);
  await runForms(model, forms, false);
}

/** Runs the tests that forms of a text define, after evaluating the forms that differ from the image's texts. */
export async function runForms(model: Model, forms: readonly TestForm[], debug: boolean): Promise<void> {
  if (tests.getState().run !== null)
    return refuse('Tests are already running. Stop them first, or wait until they end.');
  const isNew = forms.every((form) => testNamed(form.name, packageOf(form)) === null);
  if (isNew && isInProject(bufferOf(model)?.path ?? null) && (await loadProjectTests()) === null) return;
  const texts = new Map(forms.map((form) => [form, textOf(model, form)]));
  const edited = forms.filter((form) => isEdited(form, texts.get(form)!));
  const faulty: TestForm[] = [];
  for (const form of edited) if (!(await evaluated(model, form, texts.get(form)!))) faulty.push(form);
  if (edited.length > 0) await refreshTests();
  const sound = forms.filter((form) => !faulty.includes(form));
  const found = sound.map((form) => ({ form, test: testNamed(form.name, packageOf(form)) }));
  for (const { form, test } of found)
    if (test && edited.includes(form)) had.set(test.id, { version: test.version, text: texts.get(form)! });
  const ids = found.flatMap(({ test }) => (test ? [test.id] : []));
  const [lacking] = found;
  if (ids.length === 0)
    return refuse(
      lacking
        ? `The image has no test framework that defines ${shownName(lacking.form)}. Load the system of the framework.`
        : faultWords(faulty),
      'error',
    );
  takeBack?.();
  const title = forms.length === 1 ? `test ${shownName(forms[0]!)}` : `tests of ${bufferOf(model)?.title ?? 'a text'}`;
  const first = edited.filter((form) => !faulty.includes(form));
  await runTests(ids, { title, debug, before: [firstWords(first), faultWords(faulty)].filter(Boolean).join(' ') });
}

/** True if the image does not have the test, or has a version with a different source text. */
function isEdited(form: TestForm, text: string): boolean {
  const test = testNamed(form.name, packageOf(form));
  const known = test && had.get(test.id);
  return !known || known.version !== test.version || known.text !== text;
}

function firstWords(edited: readonly TestForm[]): string {
  if (edited.length === 0) return '';
  return edited.length === 1
    ? `${shownName(edited[0]!)} was evaluated first.`
    : `${edited.length} edited tests were evaluated first.`;
}

function faultWords(faulty: readonly TestForm[]): string {
  if (faulty.length === 0) return '';
  return faulty.length === 1
    ? `${shownName(faulty[0]!)} was not run, because its form could not be evaluated. The editor shows why.`
    : `${faulty.length} tests were not run, because their forms could not be evaluated. The editor shows why.`;
}

/** Evaluates the form of a test in the same way as *Evaluate Top-Level Form*; returns false if that failed. */
async function evaluated(model: Model, form: TestForm, code: string): Promise<boolean> {
  const { start } = form;
  const buffer = bufferOf(model);
  if (!buffer) return false;
  const evaluation = crypto.randomUUID();
  const line = model.getPositionAt(start).lineNumber;
  showRunning(model, start, start + code.length, evaluation);
  const source = { file: buffer.path ?? buffer.title, offset: start, line };
  const report = await evaluate({ code, origin: 'editor', package: form.package, source }, evaluation);
  showReport(model, evaluation, report);
  return report.status === 'ok';
}
