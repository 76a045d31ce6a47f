/** A piece of the output of an evaluation's code. */
import type { OutputStream } from '#contract/image/evaluation.ts';

export interface OutputChunk {
  readonly stream: OutputStream;
  readonly text: string;
  /** The number of characters that were printed before this piece and discarded. */
  readonly skipped?: number;
}
