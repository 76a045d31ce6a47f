/** The output of evaluations. Both the number of buffers and the size of each buffer are limited. */
import type { TranscriptStream } from '#contract/image/evaluation.ts';
import { appendOutput, emptyOutput, EVALUATION_LIMIT, type OutputBuffer, PROCESS_LIMIT, skipOutput } from './output.ts';

/** The key of output that belongs to no evaluation. */
export const PROCESS = '';
/** The maximum number of stored buffers, not counting the process's buffer. */
const OUTPUT_BUFFERS = 600;

interface OutputEvent {
  evaluation: string | null;
  stream: TranscriptStream;
  text: string;
  /** The number of characters before this piece that did not arrive. */
  left: number;
}

/** Adds a batch of new text to the outputs. If there are too many buffers, drops the oldest. */
export function addOutput(
  outputs: ReadonlyMap<string, OutputBuffer>,
  batch: readonly OutputEvent[],
  limit = OUTPUT_BUFFERS,
): ReadonlyMap<string, OutputBuffer> {
  const next = new Map(outputs);
  for (const { evaluation, stream, text, left } of batch) {
    const key = evaluation ?? PROCESS;
    const known = skipOutput(next.get(key) ?? emptyOutput, left);
    next.set(key, appendOutput(known, stream, text, key === PROCESS ? PROCESS_LIMIT : EVALUATION_LIMIT));
  }
  for (const key of next.keys()) {
    if (next.size <= limit) break;
    if (key !== PROCESS) next.delete(key);
  }
  return next;
}
