/** How much of a text reaches the model behind each client: what is longer the client cuts by itself, and knows no handle of the rest. */

/** Bytes of UTF-8 in an answer to a model whose client takes as much: about 6,000 tokens. */
export const USUAL_SIZE = 24 * 1024;

/** Bytes of UTF-8 in an answer of a tool that runs code, unless its caller asks for more: about 2,000 tokens. */
export const RUN_SIZE = 8 * 1024;

/** Bytes of UTF-8 that a reply has at least: what is most important in it does not fit into fewer. */
const LEAST_SIZE = 1024;

/** Bytes of UTF-8 that a caller may ask for. */
export const LARGEST_SIZE = 1024 * 1024;

/** Codex and Copilot CLI keep about 10,000 bytes and drop the middle; this leaves room for their JSON. The others take the usual size. */
const SMALLER: readonly RegExp[] = [/^codex/, /^(github[ -])?copilot/];
const SMALLER_SIZE = 9 * 1024;

/** Bytes of UTF-8 in an answer to a client of this name, as far as is known of it. */
export function replySizeOf(client: string | undefined): number {
  const name = client?.toLowerCase() ?? '';
  return SMALLER.some((pattern) => pattern.test(name)) ? SMALLER_SIZE : USUAL_SIZE;
}

/** Bytes of UTF-8 in an answer for which the caller has asked for `wanted`: a client that cuts what is longer gets no more than it takes. */
export function wantedSize(wanted: unknown, replySize: number): number {
  if (typeof wanted !== 'number') return Math.min(RUN_SIZE, replySize);
  const size = Math.max(wanted, LEAST_SIZE);
  return replySize < USUAL_SIZE ? Math.min(size, replySize) : size;
}
