/** The forms of a text for the editor: definitions for the outline, and forms that fold. */
import { definitionIn } from '#contract/sexp/forms.ts';
import type { Form } from '#contract/sexp/reader.ts';
import { activeEditor, readingOf } from '../groups/active-editor.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';

type Model = monaco.editor.ITextModel;

const { SymbolKind } = monaco.languages;

const KINDS: Record<string, monaco.languages.SymbolKind> = {
  defun: SymbolKind.Function,
  defmacro: SymbolKind.Operator,
  'define-compiler-macro': SymbolKind.Operator,
  defgeneric: SymbolKind.Interface,
  defmethod: SymbolKind.Method,
  defclass: SymbolKind.Class,
  defstruct: SymbolKind.Struct,
  'define-condition': SymbolKind.Event,
  defvar: SymbolKind.Variable,
  defparameter: SymbolKind.Variable,
  defconstant: SymbolKind.Constant,
  deftype: SymbolKind.TypeParameter,
  defpackage: SymbolKind.Package,
  defsystem: SymbolKind.Module,
};

/** A definition at the top level of a text. */
interface Outlined {
  readonly operator: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The offset at which the name starts. */
  readonly named: number;
}

/** Returns the definitions of a text, in order. */
function outlineOf(model: Model): Outlined[] {
  const { text, reading } = readingOf(model);
  return reading.forms.flatMap((form) => {
    const defined = definitionIn(text, form);
    return defined
      ? [{ ...defined, start: form.start, end: form.end, named: form.children[1]?.start ?? form.start }]
      : [];
  });
}

/** Returns the definitions of the shown text, in order. */
export function outlineShown(): Outlined[] {
  const model = activeEditor()?.getModel();
  return model ? outlineOf(model) : [];
}

export function installOutline(): monaco.IDisposable {
  return monaco.languages.registerDocumentSymbolProvider(LISP, {
    displayName: 'Common Lisp',
    provideDocumentSymbols: (model) =>
      outlineOf(model).map(({ operator, name, start, end, named }) => ({
        name,
        detail: operator,
        kind: KINDS[operator] ?? SymbolKind.Object,
        tags: [],
        range: rangeOf(model, start, end),
        selectionRange: rangeOf(model, named, named),
      })),
  });
}

/** The number of levels at which multi-line lists fold: the top level and two levels below it. Multi-line comments fold too. */
const FOLDED_DEPTH = 3;

export function installFolding(): monaco.IDisposable {
  return monaco.languages.registerFoldingRangeProvider(LISP, {
    provideFoldingRanges: (model) => {
      const ranges: monaco.languages.FoldingRange[] = [];
      const add = (forms: readonly Form[], depth: number): void => {
        for (const form of forms) {
          if (form.kind === 'atom') continue;
          const start = model.getPositionAt(form.start).lineNumber;
          const end = model.getPositionAt(form.end).lineNumber;
          if (end <= start) continue;
          ranges.push({ start, end });
          if (depth < FOLDED_DEPTH) add(form.children, depth + 1);
        }
      };
      add(readingOf(model).reading.forms, 1);
      return [...ranges, ...commentsOf(model)];
    },
  });
}

function commentsOf(model: Model): monaco.languages.FoldingRange[] {
  const ranges: monaco.languages.FoldingRange[] = [];
  let start: number | null = null;
  const lines = model.getLineCount();
  for (let line = 1; line <= lines + 1; line += 1) {
    const isComment = line <= lines && model.getLineContent(line).startsWith(';');
    if (isComment) start ??= line;
    else if (start !== null) {
      if (line - 1 > start) ranges.push({ start, end: line - 1, kind: monaco.languages.FoldingRangeKind.Comment });
      start = null;
    }
  }
  return ranges;
}

function rangeOf(model: Model, start: number, end: number): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
}
