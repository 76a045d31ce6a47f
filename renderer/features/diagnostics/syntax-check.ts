/**
 * The syntax check while the user types. The image reads the text without evaluating or interning anything; without an image, the window's
 * own reader checks it. The image handles one request at a time. It therefore gets only the changed forms, and a long text in batches, so
 * that it can answer completion requests in between.
 */
import type { SyntaxProblem } from '#contract/image/introspection.ts';
import { imbalanceOf } from '#contract/sexp/balance.ts';
import { packageAt } from '#contract/sexp/forms.ts';
import type { Form, Reading } from '#contract/sexp/reader.ts';
import { mirror } from '../../base/mirror.ts';
import { ended } from '../../base/image/evaluations.ts';
import { askImage } from '../../base/image/names.ts';
import { batchesOf, FaultlessPieces, packagesMadeIn, type Piece, piecesOf } from '../../sexp/reading/syntax-pieces.ts';
import { readingOf } from '../../editor/groups/active-editor.ts';
import { LISP } from '../../editor/monaco/language.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { packageNear } from '../../editor/providers/context.ts';

type Model = monaco.editor.ITextModel;

const OWNER = 'syntax';
/** Milliseconds without a key before the text is checked. */
const REST_MS = 500;
/** The maximum length, in characters, of a text that is checked. */
const LONGEST = 1_000_000;
/** Milliseconds after which the problems that the window finds are marked without waiting for the image. */
const OWN_AFTER_MS = 1_500;
/** Milliseconds to wait for the answer to a batch. The time is long because the image may be busy. */
const PATIENCE_MS = 30_000;
const MOST = 100;
/** The number of characters that the image checks in one batch, which takes some milliseconds. */
const BATCH = 10_000;

const faultless = new WeakMap<Model, FaultlessPieces>();

/** Checks the shown text when typing pauses, when another text is shown, and when the packages known to the image may have changed. */
export function installSyntaxCheck(editor: monaco.editor.IStandaloneCodeEditor): monaco.IDisposable {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      const model = editor.getModel();
      if (model) void checkSyntax(model);
    }, REST_MS);
  };
  const later = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    soon();
  };
  const typed = editor.onDidChangeModelContent(later);
  const shown = editor.onDidChangeModel(later);
  const stop = mirror.subscribe(({ session }, { session: before }) => {
    const isOther = session.pid !== before.pid;
    const hasRun = before.running !== null && before.running.evaluation !== session.running?.evaluation;
    // `soon` does not restart the delay, so a series of evaluations does not postpone the check.
    if (session.pid !== null && (isOther || hasRun)) soon();
  });
  const stopOwn = ended.subscribe(soon);
  return {
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
      stop();
      stopOwn();
      typed.dispose();
      shown.dispose();
    },
  };
}

/** Checks a Lisp text that is not too long, and marks the problems, unless the text has changed in the meantime. */
export async function checkSyntax(model: Model): Promise<void> {
  if (model.getLanguageId() !== LISP || model.getValueLength() > LONGEST) {
    // Removes marks that were set while the text was Lisp or shorter.
    if (monaco.editor.getModelMarkers({ resource: model.uri, owner: OWNER }).length > 0) mark(model, []);
    return;
  }
  const version = model.getVersionId();
  const { text, reading } = readingOf(model);
  const pieces = piecesOf(text, reading);
  const open = unclosed(model, pieces);
  const show = (faults: readonly Fault[]): void => {
    if (!model.isDisposed() && model.getVersionId() === version) mark(model, [...open, ...faults]);
  };
  // If the image takes long, the problems that the window finds are marked in the meantime.
  const timer = setTimeout(show, OWN_AFTER_MS, ownFaults(reading));
  const found = await foundByImage(model, text, reading, pieces);
  clearTimeout(timer);
  show(found ?? ownFaults(reading));
}

function mark(model: Model, faults: readonly Fault[]): void {
  const first = withoutRepetition(faults.toSorted((a, b) => a.offset - b.offset)).slice(0, MOST);
  const markers = first.map((fault) => markerOf(model, fault));
  monaco.editor.setModelMarkers(model, OWNER, markers);
}

/**
 * Returns the problems without repetitions. Of the problems about one undefined reader macro, only the first is returned, because a text
 * can use the macro on many lines.
 */
function withoutRepetition(faults: readonly Fault[]): Fault[] {
  const told = new Set<string>();
  return faults.filter(({ kind, message }) => {
    if (kind !== 'reader-macro') return true;
    const first = !told.has(message);
    told.add(message);
    return first;
  });
}

interface Fault {
  readonly kind: SyntaxProblem['kind'];
  readonly severity: 'error' | 'note';
  readonly message: string;
  readonly offset: number;
}

/** Returns the problems that the image finds in closed forms; null if it did not answer. */
async function foundByImage(
  model: Model,
  text: string,
  reading: Reading,
  pieces: readonly Piece[],
): Promise<Fault[] | null> {
  const known = faultless.get(model) ?? new FaultlessPieces();
  faultless.set(model, known);
  const version = model.getVersionId();
  const context = packageNear(model, 1);
  const head = packageForms(text, reading.forms);
  const suspects = known.suspects(
    pieces.filter(({ closed }) => closed),
    `${mirror.getState().session.pid} ${context} ${packageAt(text, reading, text.length)} ${head}`,
  );
  const packageOf = ({ start }: Piece): string | null => packageAt(text, reading, start);
  const faults: Fault[] = [];
  for (const batch of batchesOf(suspects, BATCH)) {
    if (model.isDisposed() || model.getVersionId() !== version) return faults;
    const found = await lookedAt(head, batch, packageOf, context);
    if (found === null) return null;
    faults.push(...found);
    for (const piece of batch) if (!found.some((fault) => isIn(piece, fault))) known.remember(piece);
  }
  return faults;
}

/** Returns forms that create the packages that the text defines, so that the image knows them. */
function packageForms(text: string, forms: readonly Form[]): string {
  return packagesMadeIn(text, forms)
    .map((name) => `(defpackage ${exactly(name)})\n`)
    .join('');
}

/** Returns the name of a symbol or package with escape characters, so that the reader keeps all its characters unchanged. */
function exactly(name: string): string {
  return `|${name.replaceAll(/[\\|]/g, String.raw`\$&`)}|`;
}

/** Returns the problems in some pieces, with offsets in the whole text; null if the image did not answer. */
async function lookedAt(
  head: string,
  pieces: readonly Piece[],
  packageOf: (piece: Piece) => string | null,
  context: string | null,
): Promise<Fault[] | null> {
  let text = head;
  let entered: string | null = null;
  const placed = pieces.map((piece) => {
    const needed = packageOf(piece);
    // The IN-PACKAGE form of this piece may be missing from the batch: it may be in another batch, or already known to be correct.
    if (needed !== null && needed !== entered) text += `(in-package ${exactly(needed)})\n`;
    entered = needed;
    const begin = text.length;
    text += `${piece.text}\n`;
    return { piece, begin, end: begin + piece.text.length };
  });
  const answer = await askImage('names.checkSyntax', { text, package: context }, PATIENCE_MS);
  if (answer === null) return null;
  const faults: Fault[] = [];
  for (const { piece, begin, end } of placed) {
    for (const { kind, severity, message, offset } of answer.problems)
      if (offset >= begin && offset <= end)
        faults.push({ kind, severity, message, offset: offset - begin + piece.start });
  }
  return faults;
}

const isIn = ({ start, text }: Piece, { offset }: Fault): boolean => offset >= start && offset <= start + text.length;

/** Returns the forms that are never closed, with advice that is derived from their indentation. */
function unclosed(model: Model, pieces: readonly Piece[]): Fault[] {
  return pieces.flatMap(({ text, start, form, closed }) => {
    if (closed || form === null) return [];
    const { lineNumber, column } = model.getPositionAt(start);
    const found = imbalanceOf(`${'\n'.repeat(lineNumber - 1)}${' '.repeat(column - 1)}${text}`);
    const message =
      found === null ? 'This form is not closed.' : [found.message, found.repair].filter(Boolean).join(' ');
    const offset = found === null ? form : model.getOffsetAt({ lineNumber: found.line, column: found.column });
    return [{ kind: 'unclosed' as const, severity: 'error' as const, message, offset }];
  });
}

/** Returns the other problems that can be found without an image. */
function ownFaults({ stray }: Reading): Fault[] {
  return stray === null
    ? []
    : [
        {
          kind: 'unmatched',
          severity: 'error',
          message: 'This closing parenthesis has no matching opening one.',
          offset: stray,
        },
      ];
}

function markerOf(model: Model, { severity, message, offset }: Fault): monaco.editor.IMarkerData {
  const { lineNumber: line, column } = model.getPositionAt(offset);
  const word = model.getWordAtPosition({ lineNumber: line, column });
  return {
    severity: severity === 'error' ? monaco.MarkerSeverity.Error : monaco.MarkerSeverity.Warning,
    source: 'Syntax',
    message,
    startLineNumber: line,
    startColumn: column,
    endLineNumber: line,
    endColumn: word && word.endColumn > column ? word.endColumn : column + 1,
  };
}
