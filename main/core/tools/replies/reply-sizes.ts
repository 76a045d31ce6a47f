/** How much of a text reaches the model behind each client: what is longer the client cuts by itself, and knows no handle of the rest. */

/** Bytes of UTF-8 in an answer to a model whose client takes as much: about 6,000 tokens. */
export const USUAL_SIZE = 24 * 1024;

/** Codex and Copilot CLI keep about 10,000 bytes and drop the middle; this leaves room for their JSON. The others take the usual size. */
const SMALLER: readonly RegExp[] = [/^codex/, /^(github[ -])?copilot/];
const SMALLER_SIZE = 9 * 1024;

/** Bytes of UTF-8 in an answer to a client of this name, as far as is known of it. */
export function replySizeOf(client: string | undefined): number {
  const name = client?.toLowerCase() ?? '';
  return SMALLER.some((pattern) => pattern.test(name)) ? SMALLER_SIZE : USUAL_SIZE;
}
