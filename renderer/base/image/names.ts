/** Questions about names that the page asks the image, and what it knows of them by itself while the image is busy, hung or missing. */
import type { nameCalls } from '#contract/image/names.ts';
import type { DefinitionRecord } from '#contract/image/definition.ts';
import type { z } from 'zod';
import { call } from '../bridge.ts';
import { mirror } from '../mirror.ts';
import { bareName } from '../../sexp/symbols.ts';

type NameCalls = typeof nameCalls;

/** Milliseconds after which an answer is not waited for any more: what is known here is shown in its place. */
const PATIENCE_MS = 2_000;
/** Milliseconds for an answer where nothing is known here that could be shown sooner. */
export const LONG_PATIENCE_MS = 15_000;

/** The image's answer; null where none is up, it cannot be asked in this package, or it takes longer than `patienceMs`. */
export function askImage<Name extends keyof NameCalls & string>(
  name: Name,
  input: z.input<NameCalls[Name]['input']>,
  patienceMs = PATIENCE_MS,
): Promise<z.output<NameCalls[Name]['output']> | null> {
  type Answer = z.output<NameCalls[Name]['output']> | null;
  const answer = (call(name, input as never) as Promise<Answer>).catch(() => null);
  return Promise.race([
    answer,
    new Promise<null>((resolve) => {
      const timer = setTimeout(() => resolve(null), patienceMs);
      void answer.then(() => clearTimeout(timer));
    }),
  ]);
}

/** Says that a package is not in the image, and what makes it. */
export function missingPackageWords(name: string): string {
  return `There is no package ${name} in the image. Load its system, or evaluate its definition.`;
}

/** Milliseconds for which what is known here waits for the image, which knows better: nobody notices them. */
const AT_ONCE_MS = 300;

/** The image's answer if it comes at once, `late` if it does not: then what is known here is shown, and exchanged when it comes. */
export function atOnce<Answer>(answer: Promise<Answer>): Promise<Answer | 'late'> {
  return Promise.race([answer, new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), AT_ONCE_MS))]);
}

export interface KnownDefinition {
  readonly package: string;
  readonly definition: DefinitionRecord;
}

/** The definitions of a name that the page has in its mirror, those of `inPackage` first. */
export function knownDefinitions(symbol: string, inPackage: string | null): KnownDefinition[] {
  const wanted = bareName(symbol).toUpperCase();
  const prefix = symbol.includes(':') ? symbol.slice(0, symbol.indexOf(':')).toUpperCase() : null;
  const found: KnownDefinition[] = [];
  for (const [name, { definitions }] of mirror.getState().definitions) {
    if (prefix !== null && prefix !== '' && name !== prefix) continue;
    for (const definition of definitions) if (nameOf(definition) === wanted) found.push({ package: name, definition });
  }
  return found.toSorted((a, b) => Number(b.package === inPackage) - Number(a.package === inPackage));
}

/** The name of a definition without the qualifiers and specializers of a method. */
function nameOf({ name }: DefinitionRecord): string {
  const space = name.startsWith('(') ? -1 : name.indexOf(' ');
  return space < 0 ? name : name.slice(0, space);
}
