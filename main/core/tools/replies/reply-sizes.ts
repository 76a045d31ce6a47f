/**
 * The maximum size of the text that reaches the model behind each client. Clients themselves cut longer texts, and do not offer a handle
 * for the rest.
 */

/** The number of UTF-8 bytes in an answer to a model, if its client accepts that many: about 6,000 tokens. */
export const USUAL_SIZE = 24 * 1024;

/** The number of UTF-8 bytes in an answer of a tool that runs code, unless its caller requests more: about 2,000 tokens. */
export const RUN_SIZE = 8 * 1024;

/** The minimum number of UTF-8 bytes in a reply, because the important parts do not fit into fewer. */
const LEAST_SIZE = 1024;

/** The maximum number of UTF-8 bytes that a caller may request. */
export const LARGEST_SIZE = 1024 * 1024;

/**
 * Codex and Copilot CLI show about 10,000 bytes and drop the middle. This limit is lower to leave room for their JSON. Other clients accept
 * the usual size.
 */
const SMALLER: readonly RegExp[] = [/^codex/, /^(github[ -])?copilot/];
const SMALLER_SIZE = 9 * 1024;

/** Returns the maximum number of UTF-8 bytes in an answer to a client with this name. Unknown clients get the usual size. */
export function replySizeOf(client: string | undefined): number {
  const name = client?.toLowerCase() ?? '';
  return SMALLER.some((pattern) => pattern.test(name)) ? SMALLER_SIZE : USUAL_SIZE;
}

/**
 * Returns the maximum number of UTF-8 bytes in an answer if the caller requests `wanted`. A client that cuts longer texts does not get more
 * than it can show.
 */
export function wantedSize(wanted: unknown, replySize: number): number {
  if (typeof wanted !== 'number') return Math.min(RUN_SIZE, replySize);
  const size = Math.max(wanted, LEAST_SIZE);
  return replySize < USUAL_SIZE ? Math.min(size, replySize) : size;
}
