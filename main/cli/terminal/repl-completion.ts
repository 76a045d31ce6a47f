/** Completion of what is typed at the terminal's REPL, by the image: it knows the packages, keywords and local names. */
import { scanOnly } from '#contract/sexp/reader.ts';
import type { ReplConnection } from '#core/transports/repl/repl-connection.ts';
import type { Completion } from './terminal-console.ts';

/** Completions that are asked for: more than are listed, so that it can be said how many there are. */
const MOST = 300;

/** Resolves with the completions of the symbol before the cursor; null where none is typed there, or no image is up. */
export async function completeSymbol(
  { session, context }: ReplConnection,
  text: string,
  cursor: number,
): Promise<Completion | null> {
  const prefix = /[^\s()'"`,;|#]*$/.exec(text.slice(0, cursor))?.[0] ?? '';
  if (prefix === '') return null;
  const top = scanOnly(text).forms.find(({ start, end }) => start <= cursor && cursor <= end);
  const around = top
    ? { text: text.slice(top.start, top.end), offset: cursor - top.start }
    : { text: null, offset: null };
  const reply = await session.lookUpIfUp('complete', { context, package: null, prefix, ...around, limit: MOST });
  const all = reply?.completions.map((completion) => completion.text) ?? [];
  // Names that are meant by their parts alone are offered where none begins so.
  const beginning = all.filter((each) => each.toLowerCase().startsWith(prefix.toLowerCase()));
  return { from: cursor - prefix.length, texts: beginning.length > 0 ? beginning.toSorted() : all };
}
