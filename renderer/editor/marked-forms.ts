/** Which forms of a text define what something is told of, such as what an agent changed in the image. Pure. */
import type { DefinitionEntry } from '#contract/definition.ts';
import { definitionIn, packageAt } from '#contract/sexp/forms.ts';
import type { Reading } from '#contract/sexp/reader.ts';
import { shownPackage } from '../sexp/packages.ts';

type Named = Pick<DefinitionEntry, 'package' | 'kind' | 'name'>;

export interface MarkedForm<Entry extends Named = DefinitionEntry> {
  entry: Entry;
  /** UTF-16 offsets of the form. */
  start: number;
  end: number;
}

export function markedForms<Entry extends Named>(
  text: string,
  reading: Reading,
  entries: readonly Entry[],
): MarkedForm<Entry>[] {
  if (entries.length === 0) return [];
  const byKey = new Map(entries.map((entry) => [keyOf(entry.package, entry.kind, entry.name), entry]));
  return reading.forms.flatMap((form) => {
    const defined = definitionIn(text, form);
    if (!defined) return [];
    const kind = OPERATORS[defined.operator.toLowerCase().replace(/^.*:/, '')];
    if (kind === undefined) return [];
    const entry = byKey.get(keyOf(packageAt(text, reading, form.start), kind, defined.name));
    return entry ? [{ entry, start: form.start, end: form.end }] : [];
  });
}

/** What each operator defines. */
const OPERATORS: Readonly<Record<string, string>> = {
  defun: 'function',
  defgeneric: 'generic-function',
  defmethod: 'method',
  defmacro: 'macro',
  defvar: 'variable',
  defparameter: 'variable',
  defconstant: 'constant',
  defclass: 'class',
  defstruct: 'structure',
  'define-condition': 'condition',
  deftype: 'type',
  'define-symbol-macro': 'symbol-macro',
  'define-compiler-macro': 'compiler-macro',
};

/** Qualifiers of methods are left out: the reader of the text does not tell them. */
function keyOf(inPackage: string | null, kind: string, name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/\s:[^\s()]+(?=\s)/g, '')
    .replaceAll(/\s+/g, ' ');
  return JSON.stringify([shownPackage(inPackage ?? 'CL-USER'), kind, plain]);
}
