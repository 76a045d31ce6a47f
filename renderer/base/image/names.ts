/** Requests to the image about names, and the page's own answers while the image is busy, hung or missing. */
import type { nameCalls } from '#contract/image/names.ts';
import type { DefinitionRecord } from '#contract/image/definition.ts';
import type { z } from 'zod';
import { call } from '../bridge.ts';
import { mirror } from '../mirror.ts';
import { bareName } from '../../sexp/symbols.ts';

type NameCalls = typeof nameCalls;

/** Milliseconds after which the page stops waiting for an answer and uses its own data. */
const PATIENCE_MS = 2_000;
/** Milliseconds to wait for an answer if the page has no data of its own to show. */
export const LONG_PATIENCE_MS = 15_000;

/** Returns the image's answer; null if the call fails, for example because no image is running, or takes longer than `patienceMs`. */
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

/** Returns a message that a package is not in the image, with instructions for creating it. */
export function missingPackageWords(name: string): string {
  return `There is no package ${name} in the image. Load its system, or evaluate its definition.`;
}

/** How long the page waits for the image, in milliseconds, before it shows its own, less exact answer. The delay is too short to notice. */
const AT_ONCE_MS = 300;

/** Returns the image's answer if it comes quickly, otherwise `late`. The caller then shows the page's own answer and replaces it later. */
export function atOnce<Answer>(answer: Promise<Answer>): Promise<Answer | 'late'> {
  return Promise.race([answer, new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), AT_ONCE_MS))]);
}

export interface KnownDefinition {
  readonly package: string;
  readonly definition: DefinitionRecord;
}

/** Returns the definitions of a name in the page's mirror; those in `inPackage` come first. */
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

/** Returns the name of a definition without the qualifiers and specializers of a method. */
function nameOf({ name }: DefinitionRecord): string {
  const space = name.startsWith('(') ? -1 : name.indexOf(' ');
  return space < 0 ? name : name.slice(0, space);
}
