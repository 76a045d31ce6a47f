/** Completion in the terminal REPL. The completions come from the image, because it knows the packages, keywords and local names. */
import { scanOnly } from '#contract/sexp/reader.ts';
import type { ReplConnection } from '#core/transports/repl/repl-connection.ts';
import type { Completion } from './terminal-console.ts';

/** The maximum number of completions to request. More are requested than listed, so that the total can be shown. */
const MOST = 300;

/** Resolves with the completions of the symbol before the cursor; null if there is no symbol or no running image. */
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
  // Fuzzy matches are offered only if no name begins with the typed text.
  const beginning = all.filter((each) => each.toLowerCase().startsWith(prefix.toLowerCase()));
  return { from: cursor - prefix.length, texts: beginning.length > 0 ? beginning.toSorted() : all };
}
