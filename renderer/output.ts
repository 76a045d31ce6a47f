/** Printed text, bounded: the newest part is kept, the rest is counted. */
import type { OutputStream } from '#contract/evaluation.ts';

export type Stream = OutputStream | 'process';

export interface OutputBuffer {
  /** Neighbours differ in their stream. */
  readonly chunks: readonly { readonly stream: Stream; readonly text: string }[];
  readonly length: number;
  /** Characters that are not kept any more. */
  readonly dropped: number;
}

/** Characters kept of one evaluation. */
export const EVALUATION_LIMIT = 64 * 1024;
/** Characters kept of what the process prints outside evaluations. */
export const PROCESS_LIMIT = 256 * 1024;

export const emptyOutput: OutputBuffer = { chunks: [], length: 0, dropped: 0 };

/** The buffer with `text` at its end, cut at the front to `limit` at a line break where one is near. */
export function appendOutput(
  buffer: OutputBuffer,
  stream: Stream,
  text: string,
  limit = EVALUATION_LIMIT,
): OutputBuffer {
  if (text === '') return buffer;
  const chunks = [...buffer.chunks];
  const last = chunks[chunks.length - 1];
  if (last?.stream === stream) chunks[chunks.length - 1] = { stream, text: last.text + text };
  else chunks.push({ stream, text });
  let length = buffer.length + text.length;
  let dropped = buffer.dropped;
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
    chunks[0] = { stream: first.stream, text: first.text.slice(cut) };
    if (chunks[0].text === '') chunks.shift();
    length -= cut;
    dropped += cut;
  }
  return { chunks, length, dropped };
}

export function outputText(buffer: OutputBuffer): string {
  return buffer.chunks.map((chunk) => chunk.text).join('');
}
