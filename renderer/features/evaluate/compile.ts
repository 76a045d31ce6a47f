/** Compilation of the editor's text, of a file, or of the top-level form at the caret. All of them are compiled by the rules for files. */
import type { CompilationResult } from '#contract/image/compilation.ts';
import type { FormMark } from '#contract/image/observation/recording.ts';
import { definitionIn, topLevelAt } from '#contract/sexp/forms.ts';
import { beginning, onOneRow, plural } from '#contract/text/text.ts';
import { call } from '../../base/bridge.ts';
import { mirror } from '../../base/mirror.ts';
import { runCommand } from '../../base/keys/command-registry.ts';
import { unanswered } from '../../base/image/evaluations.ts';
import { notify } from '../../base/notices/notices.tsx';
import { coverage, refreshCoverage } from '../coverage/store.ts';
import { severityOf, tellCompilation } from '../diagnostics/problems.ts';
import { transcript } from '../../base/image/transcript-store.ts';
import { activeEditor, readingOf } from '../../editor/groups/active-editor.ts';
import { activeBuffer, type TextBuffer } from '../../editor/text/buffers.ts';
import { isLarge } from '../../editor/text/large-texts.ts';
import { isTooLong, tellNoFormInLarge } from '../../editor/text/large-words.ts';
import { readingNear } from '../../editor/text/reading-near.ts';
import { packageIn } from '../../editor/text/reading-package.ts';
import { showReport, showRunning } from './results.ts';

/** The maximum number of characters of a reason in a notification. */
const REASON = 240;

interface FileAims {
  counts?: boolean;
  loads?: boolean;
}

/**
 * Compiles and loads the whole shown text, saved or not; its definitions then belong to its file. With `counts`, the image counts from then
 * on how often each part of the code runs. Without `loads`, the compiler only reports its findings.
 */
export async function compileFile({ counts = false, loads = true }: FileAims = {}): Promise<void> {
  const model = activeEditor()?.getModel();
  const buffer = activeBuffer();
  if (!model || !buffer) return;
  const file = buffer.path ?? buffer.title;
  if (isTooLong(model.getValue(), buffer)) return;
  const { result, failure } = await compile(buffer, model.getValue(), { offset: 0, line: 1 }, null, null, {
    counts,
    loads,
  });
  if (counts || coverage.getState().files !== null) await refreshCoverage();
  tellCompilation(file, [{ file, diagnostics: result?.diagnostics ?? [] }], result === null || result.failed || !loads);
  const { text, reading } = readingOf(model);
  const definitions = isLarge(model) ? null : reading.forms.filter((form) => definitionIn(text, form) !== null).length;
  tellOutcome(buffer.title, definitions, result, failure, loads);
}

/** Compiles and loads the top-level form at the caret. With `debugs`, its frames keep all variables and can be stepped. */
export async function compileTopLevel(debugs = false): Promise<void> {
  const editor = activeEditor();
  const model = editor?.getModel();
  const buffer = activeBuffer();
  const position = editor?.getPosition();
  if (!model || !buffer || !position) return;
  const near = readingNear(model, position.lineNumber);
  if (!near) return tellNoFormInLarge(buffer);
  const { text, reading, base } = near;
  const span = topLevelAt(text, reading, model.getOffsetAt(position) - base);
  if (!span) {
    notify('There is no form here to compile.');
    return;
  }
  const code = text.slice(span.start, span.end);
  if (isTooLong(code, buffer)) return;
  const start = span.start + base;
  const place = { offset: start, line: model.getPositionAt(start).lineNumber };
  const evaluation = crypto.randomUUID();
  showRunning(model, start, start + code.length, evaluation);
  const { report, result } = await compile(buffer, code, place, packageIn(model, start), evaluation, { debugs });
  showReport(model, evaluation, { ...report, warnings: result ? warningsOf(result, start) : [] }, 'compiling');
}

/** Returns the diagnostics of a form as warnings of an evaluation, which are shown beside the form until it changes. */
export function warningsOf({ diagnostics }: CompilationResult, formStart: number) {
  return diagnostics
    .filter((each) => severityOf(each) !== null)
    .map(({ type, message, start, end }) => ({
      type,
      message,
      start: start === null ? null : start - formStart,
      end: end === null ? null : end - formStart,
    }));
}

/** Compiles and loads a form and shows the result beside it under the id `evaluation`; with null, compiles a whole text. */
export async function compile(
  { path, title }: TextBuffer,
  text: string,
  place: { offset: number; line: number },
  inPackage: string | null,
  evaluation: string | null,
  aims: FileAims & { debugs?: boolean; marks?: FormMark[] } = {},
) {
  const source = { file: path ?? title, ...place };
  const whole = evaluation === null;
  const id = evaluation ?? crypto.randomUUID();
  const words = whole ? `compile ${title}` : `compile ${title}:${place.line}`;
  const shownIn = inPackage ?? mirror.getState().session.package;
  const begun = {
    code: `; ${words}`,
    package: shownIn,
    origin: 'editor' as const,
    at: Date.now(),
    place: source,
    compiles: true,
  };
  transcript.begin({ evaluation: id, ...begun });
  const asked = { evaluation: id, title: words, text, package: inPackage, source, whole, ...aims };
  const { report, result } = await call('compile.text', asked).catch((error: unknown) => ({
    report: unanswered(id, begun.package, error),
    result: null,
  }));
  transcript.finish(id, report, isUnread(result, aims.loads));
  const failure = report.condition ? `${report.condition.type}: ${report.condition.message}` : null;
  return { report, result, failure };
}

/** True if the code to load could not be read to its end. */
function isUnread(result: CompilationResult | null, loads = true): boolean {
  return result !== null && loads && !result.loaded;
}

function tellOutcome(
  title: string,
  definitions: number | null,
  result: CompilationResult | null,
  failure: string | null,
  loads: boolean,
): void {
  const count = result?.diagnostics.filter((each) => severityOf(each) !== null).length ?? 0;
  const said = count === 0 ? '' : `, ${plural(count, 'problem')}`;
  const show = count === 0 ? null : { title: 'Show', run: async () => runCommand('view.problems') };
  if (failure !== null)
    notify(`${title} was not ${loads ? 'loaded' : 'compiled'}. ${beginning(onOneRow(failure), REASON)}`, 'error', show);
  else if (isUnread(result, loads))
    notify(`${title} was not loaded, because it could not be read to its end${said}.`, 'error', show);
  else if (result)
    notify(
      `Compiled ${title}${loads ? '' : ' without loading it'}${definitions === null ? '' : `: ${plural(definitions, 'definition')}`}${said}.`,
      'info',
      show,
    );
}
