/** Finds the forms in a text that define given definitions, such as the definitions that an agent changed in the image. Pure. */
import type { DefinitionEntry } from '#contract/image/definition.ts';
import { definitionIn, packageAt } from '#contract/sexp/forms.ts';
import { DEFINING_OPERATORS } from '#contract/image/operators.ts';
import type { Reading } from '#contract/sexp/reader.ts';
import { shownPackage } from '../../../sexp/packages.ts';

type Named = Pick<DefinitionEntry, 'package' | 'kind' | 'name'>;

export interface MarkedForm<Entry extends Named = DefinitionEntry> {
  entry: Entry;
  /** The offsets of the form, in UTF-16 code units. */
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
    const kind = DEFINING_OPERATORS[defined.operator];
    if (kind === undefined) return [];
    const entry = byKey.get(keyOf(packageAt(text, reading, form.start), kind, defined.name));
    return entry ? [{ entry, start: form.start, end: form.end }] : [];
  });
}

/**
 * Returns the key that a definition in the image shares with its form in the text. Method qualifiers are left out, because the reader of
 * the text does not report them.
 */
function keyOf(inPackage: string | null, kind: string, name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/\s:[^\s()]+(?=\s)/g, '')
    .replaceAll(/\s+/g, ' ');
  return JSON.stringify([shownPackage(inPackage ?? 'CL-USER'), kind, plain]);
}
