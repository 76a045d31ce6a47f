/** Quick fixes for problems in a text: parentheses, misspelled and undefined names, and missing packages. */
import { missingClosers } from '#contract/sexp/balance.ts';
import type { Form } from '#contract/sexp/reader.ts';
import { askImage } from '../../base/image/names.ts';
import { systemOffer } from '../../base/image/system-offers.ts';
import { bareName } from '../../sexp/symbols.ts';
import { piecesOf } from '../../sexp/reading/syntax-pieces.ts';
import { readingOf } from '../../editor/groups/active-editor.ts';
import { LISP } from '../../editor/monaco/language.ts';
import { monaco } from '../../editor/monaco/monaco.ts';
import { LOAD_SYSTEM } from '../../editor/providers/hover.ts';
import { packageIn } from '../../editor/text/reading-package.ts';
import { libraryMeantBy } from '../libraries/library-meant.ts';
import { atomNamed, functionStub, importInto, type Insertion } from './fixes.ts';
import { undefinedName } from './undefined-name.ts';

type Model = monaco.editor.ITextModel;
type Action = monaco.languages.CodeAction;

const MOST_IMPORTS = 3;

// Monaco's own keys for quick fixes are those of *Interrupt* and of the command *Quick Fix…*, which lists the fixes.
monaco.editor.addKeybindingRules([
  { keybinding: monaco.KeyMod.CtrlCmd | monaco.KeyCode.Period, command: '-editor.action.quickFix' },
  {
    keybinding: monaco.KeyMod.Alt | monaco.KeyMod.Shift | monaco.KeyCode.Period,
    command: '-editor.action.autoFix',
  },
]);

export function installQuickFixes(): monaco.IDisposable {
  return monaco.languages.registerCodeActionProvider(LISP, {
    provideCodeActions: async (model, _range, { markers }) => {
      const found = await Promise.all(markers.map((marker) => fixesOf(model, marker)));
      return { actions: found.flat(), dispose: () => {} };
    },
  });
}

async function fixesOf(model: Model, marker: monaco.editor.IMarkerData): Promise<Action[]> {
  if (/never closed|is not closed/.test(marker.message)) return closing(model, marker);
  if (marker.message.startsWith('This closing parenthesis')) return [removing(model, marker)];
  const name = undefinedName(marker.message);
  if (name !== null) return naming(model, marker, name.symbol, name.kinds.includes('function'));
  return loading(marker);
}

/** Inserts the parentheses that the indentation asks for. */
function closing(model: Model, marker: monaco.editor.IMarkerData): Action[] {
  const { text, reading } = readingOf(model);
  const offset = model.getOffsetAt({ lineNumber: marker.startLineNumber, column: marker.startColumn });
  const piece = piecesOf(text, reading).find(
    ({ closed, start, text: own }) => !closed && offset >= start && offset <= start + own.length,
  );
  if (!piece) return [];
  const { lineNumber, column } = model.getPositionAt(piece.start);
  const missing = missingClosers(`${'\n'.repeat(lineNumber - 1)}${' '.repeat(column - 1)}${piece.text}`);
  if (missing === null) return [];
  const closers = ')'.repeat(missing.count);
  const at = model.getOffsetAt({ lineNumber: missing.line, column: missing.column });
  return [
    fixed(model, marker, `Insert ${closers} at the end of line ${missing.line}`, { offset: at, text: closers }, true),
  ];
}

function removing(model: Model, marker: monaco.editor.IMarkerData): Action {
  const { startLineNumber: line, startColumn: column } = marker;
  const textEdit = { range: new monaco.Range(line, column, line, column + 1), text: '' };
  return actionOf(model, marker, 'Remove the closing parenthesis', textEdit, true);
}

/** Corrects an undefined name by a similar one, imports it, or defines it. */
async function naming(
  model: Model,
  marker: monaco.editor.IMarkerData,
  symbol: string,
  isFunction: boolean,
): Promise<Action[]> {
  const { text, reading } = readingOf(model);
  const from = model.getOffsetAt({ lineNumber: marker.startLineNumber, column: marker.startColumn });
  const around = reading.forms.find(({ start, end }) => start <= from && from <= end);
  const inside = around && innermost(around, from);
  const atom = inside && (atomNamed(text, [inside], symbol) ?? atomNamed(text, [around], symbol));
  if (!around || !atom) return [];
  const inPackage = packageIn(model, from);
  const [described, found] = await Promise.all([
    askImage('names.describe', { symbol, package: inPackage }),
    isFunction ? exportedFunctions(symbol) : [],
  ]);
  const written = text.slice(atom.body, atom.end);
  const range = rangeOf(model, atom.body, atom.end);
  const similar = (described?.described.near ?? []).map((near) => {
    const name = writtenIn(near.toLowerCase(), inPackage, written);
    return actionOf(model, marker, `Change to ${name}`, { range, text: name });
  });
  const imports = found.slice(0, MOST_IMPORTS).flatMap((pkg) => {
    const change = inPackage && importInto(text, reading.forms, { inPackage, from: pkg, symbol: bareName(symbol) });
    return change ? [fixed(model, marker, `Import ${written.toLowerCase()} from ${pkg.toLowerCase()}`, change)] : [];
  });
  const stub = isFunction
    ? { offset: around.end, text: `\n\n${functionStub(text, atom)}` }
    : { offset: around.start, text: `(defvar ${written.toLowerCase()} nil)\n\n` };
  const define = fixed(model, marker, `Define ${written.toLowerCase()}`, stub);
  return [...similar, ...imports, define];
}

/** Returns a printed symbol as it is written in a package in place of `before`, which may name the package. */
function writtenIn(printed: string, inPackage: string | null, before: string): string {
  const name = bareName(printed);
  const home = printed.slice(0, printed.length - name.length).replaceAll(':', '');
  const isHere = home === '' || home === inPackage?.toLowerCase();
  const prefix = isHere ? before.slice(0, before.length - bareName(before).length) : printed.slice(0, -name.length);
  return prefix + name;
}

/** Returns the packages that export a function of this name. */
async function exportedFunctions(symbol: string): Promise<string[]> {
  const pattern = bareName(symbol);
  const asked = { pattern, package: null, externalOnly: true, documentation: false, kinds: null, limit: 100 };
  const { symbols = [] } = (await askImage('names.apropos', asked)) ?? {};
  const isFunction = (kind: string): boolean => /function|macro/.test(kind);
  return symbols.flatMap(({ name, package: home, external, kinds }) =>
    name === pattern.toUpperCase() && home !== null && external && kinds.some(isFunction) ? [home] : [],
  );
}

async function loading(marker: monaco.editor.IMarkerData): Promise<Action[]> {
  const meant = libraryMeantBy('PACKAGE-ERROR', marker.message.split('\n').at(-1) ?? '');
  const offer = meant?.kind === 'package' ? await systemOffer(meant.name) : null;
  if (!meant || !offer) return [];
  const title = `Load ${offer.system}`;
  return [
    { title, kind: 'quickfix', diagnostics: [marker], command: { id: LOAD_SYSTEM, title, arguments: [meant.name] } },
  ];
}

/** Returns the innermost form around an offset. */
function innermost(form: Form, offset: number): Form {
  const child = form.children.find(({ start, end }) => start <= offset && offset < end);
  return child && child.kind === 'list' ? innermost(child, offset) : form;
}

function fixed(
  model: Model,
  marker: monaco.editor.IMarkerData,
  title: string,
  { offset, text }: Insertion,
  isPreferred = false,
): Action {
  return actionOf(model, marker, title, { range: rangeOf(model, offset, offset), text }, isPreferred);
}

function actionOf(
  model: Model,
  marker: monaco.editor.IMarkerData,
  title: string,
  textEdit: monaco.languages.TextEdit,
  isPreferred = false,
): Action {
  const edits = [{ resource: model.uri, versionId: model.getVersionId(), textEdit }];
  return { title, kind: 'quickfix', diagnostics: [marker], edit: { edits }, isPreferred };
}

function rangeOf(model: Model, start: number, end: number): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
}
