/** A piece of what the code of an evaluation printed. */
import type { OutputStream } from '#contract/image/evaluation.ts';

export interface OutputChunk {
  readonly stream: OutputStream;
  readonly text: string;
  /** Characters that were printed before it, and not kept. */
  readonly skipped?: number;
}
