/** Patterns for file names. */

type GlobToken =
  | { readonly kind: 'one' | 'run' | 'folders' | 'all' }
  | { readonly kind: 'literal'; readonly text: string };

/**
 * Returns a function that matches file names. `*` and `?` match within a name, `**` matches folders; a pattern without a slash applies only
 * to the name. All possible matches of the pattern are followed at the same time. The usual libraries (picomatch, minimatch) create a
 * regular expression, which tries the possibilities one after another: five `*a` and a `*b` take more than a minute for a name of a hundred
 * letters.
 */
export function globMatcher(glob: string): (file: string) => boolean {
  const tokens = (glob.includes('/') ? glob : `**/${glob}`).split(/(\*\*\/|\*+|\?)/).flatMap((part): GlobToken[] => {
    if (part === '**/') return [{ kind: 'folders' }];
    if (part.startsWith('*')) return [{ kind: part.length > 1 ? 'all' : 'run' }];
    if (part === '?') return [{ kind: 'one' }];
    return Array.from(part, (text) => ({ kind: 'literal', text }));
  });
  // A state is twice the index of the next token, plus one inside folders that a `folders` token skips.
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
