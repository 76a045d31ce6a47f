/** Finds the `(in-package …)` line for a new file in the text of the file beside it. Pure. */
import { operatorName } from '#contract/sexp/forms.ts';
import { readText } from '#contract/sexp/reader.ts';

export interface FilePackage {
  /** The line, such as `(in-package #:shop)`. */
  readonly line: string;
  /** True if the text defines that package, so that a file in the package must be loaded after it. */
  readonly defined: boolean;
}

const DEFINES: ReadonlySet<string> = new Set(['defpackage', 'define-package']);

/** Returns the package of the last definition in a text, or the package that the text defines; null if it names no package. */
export function packageOfFile(text: string): FilePackage | null {
  let found: FilePackage | null = null;
  let defined: FilePackage | null = null;
  for (const form of readText(text).forms) {
    const [operator, name] = form.children;
    if (form.kind !== 'list' || !form.closed || operator?.kind !== 'atom' || !name) continue;
    const word = operatorName(text, operator);
    const written = text.slice(name.start, name.end);
    if (DEFINES.has(word)) defined ??= { line: `(in-package ${written})`, defined: true };
    else if (word === 'in-package') found = { line: `(in-package ${written})`, defined: sameName(defined, written) };
  }
  // A file that only defines packages is often in CL-USER itself.
  return defined && (found === null || /^\(in-package [#:"]*(?:cl|common-lisp)-user"?\)$/i.test(found.line))
    ? defined
    : found;
}

function sameName(known: FilePackage | null, written: string): boolean {
  const bare = (name: string): string => name.replaceAll(/^#?:|"/g, '').toLowerCase();
  return known?.defined === true && bare(known.line.slice('(in-package '.length, -1)) === bare(written);
}
