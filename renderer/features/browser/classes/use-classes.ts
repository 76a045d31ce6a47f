/** The graph of classes and the description of one, asked of the image again when its definitions change. */
import type { ClassDescription, ClassGraph } from '#contract/image/introspection.ts';
import { call } from '../../../base/bridge.ts';
import type { ClassScope } from '../browsing.ts';
import { shownRepl } from '../../../base/image/active-repl.ts';
import { type Answer, useAsked } from '../../../base/image/use-asked.ts';

/** Classes of a graph that are drawn. */
const LIMIT = 5000;

export function useClassGraph({ kind, name }: ClassScope): Answer<ClassGraph> {
  const wanted = name.trim();
  return useAsked(`${kind} ${wanted}`, () =>
    call('classes.graph', {
      package: kind === 'package' && wanted !== '' ? wanted : null,
      roots: kind === 'below' && wanted !== '' ? [wanted] : null,
      limit: LIMIT,
      repl: shownRepl().id,
    }),
  );
}

export function useClass(name: string | null, seenFrom: string): Answer<ClassDescription | null> {
  const answer = useAsked(`${seenFrom} ${name}`, async () =>
    name === null
      ? { class: null }
      : call('classes.describe', { symbol: name, package: seenFrom, repl: shownRepl().id }),
  );
  return typeof answer === 'object' && 'found' in answer ? { found: answer.found.class } : answer;
}
