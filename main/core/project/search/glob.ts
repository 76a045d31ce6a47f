/** Patterns for names of files. */

type GlobToken =
  | { readonly kind: 'one' | 'run' | 'folders' | 'all' }
  | { readonly kind: 'literal'; readonly text: string };

/**
 * `*` and `?` within a name, `**` over folders; a pattern without a slash is about the name alone. Follows all ways through
 * the pattern at once. The libraries for this (picomatch, minimatch) make a regular expression, which tries them one after
 * another: five `*a` and a `*b` against a name of a hundred letters take it more than a minute.
 */
export function globMatcher(glob: string): (file: string) => boolean {
  const tokens = (glob.includes('/') ? glob : `**/${glob}`).split(/(\*\*\/|\*+|\?)/).flatMap((part): GlobToken[] => {
    if (part === '**/') return [{ kind: 'folders' }];
    if (part.startsWith('*')) return [{ kind: part.length > 1 ? 'all' : 'run' }];
    if (part === '?') return [{ kind: 'one' }];
    return Array.from(part, (text) => ({ kind: 'literal', text }));
  });
  // A state is twice the index of the token that comes next, and one more within folders that `**/` passes over.
  const enter = (index: number, states: Set<number>): void => {
    states.add(2 * index);
    const kind = tokens[index]?.kind;
    if (kind === 'run' || kind === 'all' || kind === 'folders') enter(index + 1, states);
  };
  const follow = (state: number, character: string, states: Set<number>): void => {
    const index = state >> 1;
    const token = tokens[index];
    if (!token) return;
    const slash = character === '/';
    if (token.kind === 'folders') {
      states.add(2 * index + 1);
      if (slash) enter(index + 1, states);
    } else if (token.kind === 'all' || (token.kind === 'run' && !slash)) enter(index, states);
    else if (token.kind === 'one' ? !slash : token.kind === 'literal' && token.text === character)
      enter(index + 1, states);
  };
  return (file) => {
    let states = new Set<number>();
    enter(0, states);
    for (const character of file) {
      const next = new Set<number>();
      for (const state of states) follow(state, character, next);
      states = next;
    }
    return states.has(2 * tokens.length);
  };
}
