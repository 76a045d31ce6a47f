/** An evaluation: the location of its code, its output and its values. */
import { z } from 'zod';
import { conditionRecord, warningRecord } from './condition.ts';
import { effectsOfRun } from '#contract/decisions/past-effect.ts';

/** A position in a source: an absolute file path or a buffer name, the offset of the code in UTF-16 code units, and the line (from 1). */
export const sourcePlace = z.object({
  file: z.string(),
  offset: z.int().nonnegative(),
  line: z.int().positive(),
});

export const printedValue = z.object({
  /** The value, printed by prin1 under the contract's print limits (E23–E27). */
  text: z.string(),
  /** The value's type as returned by `type-of`, abbreviated. */
  type: z.string(),
  /** The number of characters removed by the limit; 0 if the text is complete. */
  cut: z.int().nonnegative(),
  /** The handle with which the value can be inspected while it is retained; null if no handle was requested. */
  handle: z.int().nullable(),
});

/** Times in milliseconds, allocation in bytes. Run time, GC time and bytes are for the whole image. */
export const timing = z.object({
  realMs: z.number(),
  runMs: z.number(),
  gcMs: z.number(),
  bytesConsed: z.number(),
});

/** The status of an evaluation. `lost`: the worker or the image ended without an answer; `condition` says what happened. */
export const evaluationStatus = z.enum(['ok', 'error', 'interrupted', 'lost']);

const outputStream = z.enum(['stdout', 'stderr']);

/** The last characters of an output that exceeded its limit. The `skipped` characters before this text were counted but not stored. */
export const outputTail = z.object({
  stream: outputStream,
  text: z.string(),
  skipped: z.int().nonnegative(),
});

/** A finished evaluation as the REPL, the editor and the activity show it. */
export const evaluationReport = z.object({
  evaluation: z.string(),
  status: evaluationStatus,
  values: z.array(printedValue),
  warnings: z.array(warningRecord),
  condition: conditionRecord.nullable(),
  /** The name of the context's current package after the evaluation. */
  package: z.string(),
  formCount: z.int().nonnegative(),
  timing,
  /** The number of output characters beyond the limit, which were counted but not stored. */
  outputCut: z.int().nonnegative(),
  ...effectsOfRun,
});

export type SourcePlace = z.infer<typeof sourcePlace>;
export type PrintedValue = z.infer<typeof printedValue>;
export type Timing = z.infer<typeof timing>;
export type EvaluationStatus = z.infer<typeof evaluationStatus>;
export type EvaluationReport = z.infer<typeof evaluationReport>;
export type OutputStream = z.infer<typeof outputStream>;

/** The source of a text in the transcript: one of the code's output streams, the process itself, or the person's input. */
export const transcriptStream = z.enum([...outputStream.options, 'process', 'input']);
export type TranscriptStream = z.infer<typeof transcriptStream>;

/** Returns true for text printed by the code of an evaluation. */
export function isOutputStream(stream: TranscriptStream): stream is OutputStream {
  return stream === 'stdout' || stream === 'stderr';
}
