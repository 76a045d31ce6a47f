/** One evaluation: where its text stood, what it printed and gave back. */
import { z } from 'zod';
import { conditionRecord, warningRecord } from './condition.ts';
import { effectsOfRun } from '#contract/decisions/past-effect.ts';

/** A place in a text: a file (absolute) or a buffer name, the offset of the code in UTF-16 code units, and its line (1-based). */
export const sourcePlace = z.object({
  file: z.string(),
  offset: z.int().nonnegative(),
  line: z.int().positive(),
});

export const printedValue = z.object({
  /** prin1 under the contract's print limits (E23–E27). */
  text: z.string(),
  /** `type-of`, printed short. */
  type: z.string(),
  /** Characters that the limit cut away; 0 when the text is whole. */
  cut: z.int().nonnegative(),
  /** The handle by which the value can be inspected while it is kept; null when it was not asked for. */
  handle: z.int().nullable(),
});

/** Times in milliseconds, allocation in bytes. Run, GC and bytes are those of the whole image. */
export const timing = z.object({
  realMs: z.number(),
  runMs: z.number(),
  gcMs: z.number(),
  bytesConsed: z.number(),
});

/** `lost`: the worker or the image ended without an answer of its own; `condition` then says what happened. */
export const evaluationStatus = z.enum(['ok', 'error', 'interrupted', 'lost']);

const outputStream = z.enum(['stdout', 'stderr']);

/** The end of an output that went past its limit; `skipped` characters between the limit and it were counted, not kept. */
export const outputTail = z.object({
  stream: outputStream,
  text: z.string(),
  skipped: z.int().nonnegative(),
});

/** A finished evaluation as the REPL, the editor and the activity list show it. */
export const evaluationReport = z.object({
  evaluation: z.string(),
  status: evaluationStatus,
  values: z.array(printedValue),
  warnings: z.array(warningRecord),
  condition: conditionRecord.nullable(),
  /** Name of the context's current package after the call. */
  package: z.string(),
  formCount: z.int().nonnegative(),
  timing,
  /** Characters of output that went past the limit and were counted, not kept. */
  outputCut: z.int().nonnegative(),
  ...effectsOfRun,
});

export type SourcePlace = z.infer<typeof sourcePlace>;
export type PrintedValue = z.infer<typeof printedValue>;
export type Timing = z.infer<typeof timing>;
export type EvaluationStatus = z.infer<typeof evaluationStatus>;
export type EvaluationReport = z.infer<typeof evaluationReport>;
export type OutputStream = z.infer<typeof outputStream>;

/** Where a text of the transcript comes from: a stream of the code, the process itself, or the person, whose answer the code read. */
export const transcriptStream = z.enum([...outputStream.options, 'process', 'input']);
export type TranscriptStream = z.infer<typeof transcriptStream>;

/** True for a text that the code of an evaluation printed. */
export function isOutputStream(stream: TranscriptStream): stream is OutputStream {
  return stream === 'stdout' || stream === 'stderr';
}
