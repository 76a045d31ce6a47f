/** How much of a text reaches the model behind each client: what is longer the client cuts by itself, and knows no handle of the rest. */

export interface ReplySize {
  /** Bytes of UTF-8 that one answer has at most. */
  readonly bytes: number;
  readonly lines: number;
}

/** What a model is given where its client takes as much: about 6,000 tokens. */
export const USUAL_SIZE: ReplySize = { bytes: 24 * 1024, lines: Infinity };

/**
 * Codex and Copilot CLI keep about 10,000 bytes of JSON and drop the middle, older Codexes what is beyond 256 lines too; there is
 * room for its escapes. OpenCode keeps the first 2,000 lines. Cline and Gemini CLI take more than the usual size.
 */
const KNOWN: readonly (readonly [RegExp, Partial<ReplySize>])[] = [
  [/^codex/, { bytes: 9 * 1024, lines: 240 }],
  [/^(github[ -])?copilot/, { bytes: 9 * 1024 }],
  [/^opencode/, { lines: 1_900 }],
];

/** The size for a client of this name, as far as is known of it. */
export function replySizeOf(client: string | undefined): ReplySize {
  const name = client?.toLowerCase() ?? '';
  return { ...USUAL_SIZE, ...KNOWN.find(([pattern]) => pattern.test(name))?.[1] };
}

/** Whether a text can be shown whole. */
export function fits(text: string, { bytes, lines }: ReplySize): boolean {
  return Buffer.byteLength(text) <= bytes && (lines === Infinity || text.split('\n').length <= lines);
}
