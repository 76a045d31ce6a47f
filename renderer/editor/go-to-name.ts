/** The way to the definition of a name that stands in no text, such as that of a breakpoint. */
import { call } from '../base/bridge.ts';
import { askImage, knownDefinitions, LONG_PATIENCE_MS } from '../features/names.ts';
import { notify } from '../features/notices.tsx';
import { bareName } from '../sexp/symbols.ts';
import { revealSource } from './reveal-source.ts';

/** Goes to the definition of a function by its name as it is read in CL-USER: where the image has it, else where a file of the folder does. */
export async function goToFunction(name: string): Promise<void> {
  const symbol = /^\(setf\s+(\S+)\)$/i.exec(name)?.[1] ?? name;
  const answer = await askImage('names.definitions', { symbol, package: 'COMMON-LISP-USER' }, LONG_PATIENCE_MS);
  const sources = answer
    ? answer.definitions.flatMap(({ kind, source }) => (source !== null && FUNCTIONS.has(kind) ? [source] : []))
    : knownDefinitions(symbol, null).flatMap(({ definition: { source } }) => (source === null ? [] : [source]));
  const [source] = sources;
  if (source) return revealSource(source);
  const { places } = await call('project.definitions', { name: bareName(symbol) });
  const [place] = places;
  if (place) return revealSource({ file: place.file, line: place.line, offset: null });
  notify(`Neither the image nor a file of the folder says where ${name} is defined.`);
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'function',
  'generic-function',
  'method',
  'setf-function',
  'setf-method',
]);
