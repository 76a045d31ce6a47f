/** Colours names by their kind in the image: macros of the person and of libraries as operators, and global variables. */
import type { PackageDefinitions } from '#contract/image/definition.ts';
import type { Form } from '#contract/sexp/reader.ts';
import { mirror } from '../../base/mirror.ts';
import { bareName } from '../../sexp/symbols.ts';
import { readingOf } from '../groups/active-editor.ts';
import { LISP } from '../monaco/language.ts';
import { monaco } from '../monaco/monaco.ts';

/** The names of the colours in the theme, in the order of the legend. */
const TYPES = ['operator', 'special'] as const;
/** The maximum length, in characters, of a text that gets these colours. */
const LONGEST = 1_000_000;

interface KnownNames {
  readonly macros: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

let known: { of: ReadonlyMap<string, PackageDefinitions>; names: KnownNames } | null = null;

export function installSemanticColours(): monaco.IDisposable {
  const changed = new monaco.Emitter<void>();
  const stop = mirror.subscribe((state, before) => {
    if (state.definitions !== before.definitions) changed.fire();
  });
  const provider = monaco.languages.registerDocumentSemanticTokensProvider(LISP, {
    onDidChange: changed.event,
    getLegend: () => ({ tokenTypes: [...TYPES], tokenModifiers: [] }),
    provideDocumentSemanticTokens: (model) => ({ data: tokensOf(model) }),
    releaseDocumentSemanticTokens: () => {},
  });
  return {
    dispose: () => {
      stop();
      provider.dispose();
      changed.dispose();
    },
  };
}

/** Returns five numbers for each name, in the editor's format: lines and columns since the previous name, length, type, and modifiers. */
function tokensOf(model: monaco.editor.ITextModel): Uint32Array {
  if (model.getValueLength() > LONGEST) return new Uint32Array();
  const { text, reading } = readingOf(model);
  const { macros, variables } = namesOf(mirror.getState().definitions);
  const data: number[] = [];
  let [line, column] = [1, 1];
  const put = (form: Form, type: number): void => {
    const { lineNumber, column: at } = model.getPositionAt(form.body);
    data.push(lineNumber - line, lineNumber === line ? at - column : at - 1, form.end - form.body, type, 0);
    [line, column] = [lineNumber, at];
  };
  const visit = (level: readonly Form[]): void => {
    for (const [index, form] of level.entries()) {
      if (form.kind === 'list') visit(form.children);
      else if (form.kind === 'atom') {
        const name = bareName(text.slice(form.body, form.end)).toUpperCase();
        if (index === 0 && form.parent !== null && macros.has(name)) put(form, 0);
        else if (variables.has(name)) put(form, 1);
      }
    }
  };
  visit(reading.forms);
  return new Uint32Array(data);
}

function namesOf(definitions: ReadonlyMap<string, PackageDefinitions>): KnownNames {
  if (known?.of === definitions) return known.names;
  const [macros, functions, variables] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { definitions: all } of definitions.values())
    for (const { kind, name } of all) {
      if (kind === 'macro') macros.add(name);
      else if (kind === 'function' || kind === 'generic-function') functions.add(name);
      else if (kind === 'variable' || kind === 'constant') variables.add(name);
    }
  // A name that is a macro in one package and a function in another keeps its normal colour.
  for (const name of functions) macros.delete(name);
  const names = { macros, variables };
  known = { of: definitions, names };
  return names;
}
