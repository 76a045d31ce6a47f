/**
 * Step-by-step macro expansion. An expansion is a separate text beside the form's text. Each form in it is expanded in place, and every
 * step can be undone.
 */
import { call } from '../../base/bridge.ts';
import { FIRST_REPL } from '#contract/image/shared-image.ts';
import { showPage } from '../../base/layout/layout-store.ts';
import { showRegion } from '../../base/layout/regions.ts';
import { notify } from '../../base/notices/notices.tsx';
import { type InputCaret, inputCaret } from '../../base/image/input-caret.ts';
import { listAt } from '../../sexp/reading/form-path.ts';
import { activeEditor, readingOf } from '../../editor/groups/active-editor.ts';
import {
  activeBuffer,
  addBuffer,
  bufferOf,
  type ExpansionNotice,
  modelOf,
  showBuffer,
  showPart,
} from '../../editor/text/buffers.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { readingNear } from '../../editor/text/reading-near.ts';
import { packageIn } from '../../editor/text/reading-package.ts';
import { readText } from '#contract/sexp/reader.ts';

/**
 * `once` expands a macro call one time, `fully` expands everything in a form, and `compiler-macro` expands a function call by its compiler
 * macro.
 */
export type ExpansionMode = 'once' | 'fully' | 'compiler-macro';

/** The package in which a form is read, and the REPL whose image expands it. */
type Of = Pick<ExpansionNotice, 'package' | 'repl'>;

interface Step {
  readonly text: string;
  /** The expanded part. */
  readonly start: number;
  readonly end: number;
}

/** The steps of each open expansion, by its buffer. */
const expansions = new Map<string, Step[]>();

/** Expands the form at the caret: in place inside an expansion, otherwise as a separate text. */
export async function expandAtCaret(mode: ExpansionMode): Promise<void> {
  const input = inputCaret();
  if (input) return expandInput(input, mode);
  const buffer = activeBuffer();
  if (!buffer) return;
  if (buffer.notice?.kind === 'expansion') await expandPart(buffer.id, buffer.notice, mode);
  else await expandForm(mode);
}

/** Undoes the latest step of an expansion. */
export function takeBackExpansion(): void {
  const buffer = activeBuffer();
  const steps = buffer && expansions.get(buffer.id);
  if (buffer?.notice?.kind !== 'expansion' || !steps || steps.length < 2) return;
  const [undone] = steps.splice(-1);
  show(buffer.id, buffer.notice, steps);
  select(undone!.start, undone!.start);
}

/** True if the shown text is an expansion with a step to undo. */
export function canTakeBackExpansion(): boolean {
  const notice = activeBuffer()?.notice;
  return notice?.kind === 'expansion' && notice.steps > 0;
}

async function expandForm(mode: ExpansionMode): Promise<void> {
  const editor = activeEditor();
  const model = editor?.getModel();
  const caret = editor?.getPosition();
  if (!model || !caret) return;
  const around = readingNear(model, caret.lineNumber);
  const found = around && listAt(around.reading.forms, model.getOffsetAt(caret) - around.base);
  if (!found) {
    notify('There is no form at the caret.');
    return;
  }
  const form = around.text.slice(found.form.body, found.form.end);
  await open(form, { package: packageIn(model, model.getOffsetAt(caret)), repl: FIRST_REPL }, mode);
}

/** Expands the form at the caret of a REPL's input in the REPL's image, and focuses the expansion. */
async function expandInput(input: InputCaret, mode: ExpansionMode): Promise<void> {
  const found = listAt(readText(input.text).forms, input.caret);
  if (!found) return void notify('There is no form at the caret of the REPL.');
  const isOpen = await open(input.text.slice(found.form.body, found.form.end), input, mode);
  if (isOpen) showRegion('Editor', () => showPage('editor'));
}

/** Opens the expansion of a form as a separate text; returns false if there is none. */
async function open(form: string, { package: inPackage, repl }: Of, mode: ExpansionMode): Promise<boolean> {
  const step = await ask(form, { package: inPackage, repl }, null, mode);
  if (!step) return false;
  const operator = /^\(\s*([^\s()]+)/.exec(form)?.[1] ?? 'a form';
  const notice: ExpansionNotice = { kind: 'expansion', package: inPackage, repl, steps: 0 };
  const title = `expansion of ${operator}`;
  const id = addBuffer({ path: null, title, text: step.text, digest: null, dirty: false, passing: true });
  forgetClosed();
  expansions.set(id, [step]);
  showBuffer(id);
  show(id, notice, [step]);
  return true;
}

async function expandPart(id: string, notice: ExpansionNotice, mode: ExpansionMode): Promise<void> {
  const model = modelOf(id);
  const caret = activeEditor()?.getPosition();
  const steps = expansions.get(id);
  if (!model || !caret || !steps) return;
  const { text, reading } = readingOf(model);
  const found = listAt(reading.forms, model.getOffsetAt(caret));
  if (!found || found.prefixed) {
    notify(found ? 'There is nothing to expand, because this is quoted data.' : 'There is no form at the caret.');
    return;
  }
  const step = await ask(text, notice, [...found.path], mode);
  if (!step || bufferOf(activeEditor()?.getModel() ?? null)?.id !== id) return;
  steps.push(step);
  show(id, notice, steps);
  select(step.start, step.end);
}

/** Returns the expansion of a form or of its part at `path`. If there is none, shows a message and returns null. */
async function ask(
  form: string,
  { package: inPackage, repl }: Of,
  path: number[] | null,
  mode: ExpansionMode,
): Promise<Step | null> {
  const answer = await call('names.expand', { form, package: inPackage, mode, path, repl });
  if (answer === null) {
    notify('No image is running to expand macros.');
    return null;
  }
  if (!answer.changed) {
    notify(
      mode === 'compiler-macro'
        ? 'This call has no compiler macro, or the compiler macro declined to expand it.'
        : mode === 'fully'
          ? 'There is no macro in this form.'
          : 'This form is not a macro call.',
    );
    return null;
  }
  if (answer.cut > 0) notify(`The expansion is long: ${answer.cut.toLocaleString('en')} characters are not shown.`);
  return { text: answer.text, start: answer.start, end: answer.end };
}

function show(id: string, notice: ExpansionNotice, steps: readonly Step[]): void {
  showPart(id, steps.at(-1)!.text, { ...notice, steps: steps.length - 1 });
}

function select(start: number, end: number): void {
  const editor = activeEditor();
  const model = editor?.getModel();
  if (!editor || !model) return;
  const [from, to] = [model.getPositionAt(start), model.getPositionAt(end)];
  // The caret is at the beginning of the selection, so that the next step expands the same form again.
  editor.setSelection(new monaco.Selection(to.lineNumber, to.column, from.lineNumber, from.column));
  editor.revealPositionInCenterIfOutsideViewport(from);
}

function forgetClosed(): void {
  for (const id of expansions.keys()) if (!modelOf(id)) expansions.delete(id);
}
