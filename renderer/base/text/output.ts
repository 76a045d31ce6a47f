/** Printed text of limited size: the newest characters are stored, the rest are only counted. */
import type { TranscriptStream } from '#contract/image/evaluation.ts';
import { ownText } from './own-text.ts';

export interface OutputBuffer {
  /** Pieces of text. Adjacent pieces belong to different streams. */
  readonly chunks: readonly { readonly stream: TranscriptStream; readonly text: string }[];
  readonly length: number;
  /** The number of characters that were dropped. */
  readonly dropped: number;
}

/** The maximum number of stored characters of an evaluation's output. */
export const EVALUATION_LIMIT = 64 * 1024;
/** The maximum number of stored characters of the process's output outside evaluations. */
export const PROCESS_LIMIT = 256 * 1024;

export const emptyOutput: OutputBuffer = { chunks: [], length: 0, dropped: 0 };

/**
 * Returns the buffer with `text` appended. If the result is longer than `limit` characters, removes its start, at a line break if one is
 * near.
 */
export function appendOutput(
  buffer: OutputBuffer,
  stream: TranscriptStream,
  text: string,
  limit = EVALUATION_LIMIT,
): OutputBuffer {
  if (text === '') return buffer;
  const chunks = [...buffer.chunks];
  const last = chunks[chunks.length - 1];
  if (last?.stream === stream) chunks[chunks.length - 1] = { stream, text: last.text + text };
  else chunks.push({ stream, text });
  return lastOf({ chunks, length: buffer.length + text.length, dropped: buffer.dropped }, limit);
}

/** Returns at most the last `limit` characters of the buffer, starting at a line break if one is near. The cut characters are counted. */
export function lastOf(buffer: OutputBuffer, limit: number): OutputBuffer {
  if (buffer.length <= limit) return buffer;
  const chunks = [...buffer.chunks];
  let { length, dropped } = buffer;
  while (length > limit && chunks[0]) {
    const first = chunks[0];
    const over = length - limit;
    if (first.text.length <= over) {
      chunks.shift();
      length -= first.text.length;
      dropped += first.text.length;
      continue;
    }
    const eol = first.text.indexOf('\n', over - 1);
    const cut = eol >= 0 && eol - over < 1000 ? eol + 1 : over;
    chunks[0] = { stream: first.stream, text: ownText(first.text, cut) };
    if (chunks[0].text === '') chunks.shift();
    length -= cut;
    dropped += cut;
  }
  return { chunks, length, dropped };
}

/** Returns an empty buffer after `left` characters did not arrive. These and all characters of the old buffer count as dropped. */
export function skipOutput(buffer: OutputBuffer, left: number): OutputBuffer {
  return left === 0 ? buffer : { ...emptyOutput, dropped: buffer.dropped + buffer.length + left };
}

export function outputText(buffer: OutputBuffer): string {
  return buffer.chunks.map((chunk) => chunk.text).join('');
}
