/** Tool calls and results in the shape of the tool-execution contract (X1–X3, X16). */
import { z } from 'zod';

/** safe runs at once; cautious is logged and runs; dangerous waits for a person (X7–X9). */
export const safetyLevel = z.enum(['safe', 'cautious', 'dangerous']);

export const toolCall = z.object({
  id: z.string(),
  name: z.string().regex(/^[a-z][a-z0-9_]*$/),
  arguments: z.record(z.string(), z.unknown()),
});

export const toolResult = z.object({
  id: z.string(),
  success: z.boolean(),
  content: z.string(),
  error: z.string().optional(),
  /** The same as data, for tools that declare its shape. */
  structured: z.record(z.string(), z.unknown()).optional(),
  metadata: z.object({
    execution_time_ms: z.number(),
    safety_level: safetyLevel,
    approved: z.boolean().optional(),
    /** Set while a person has not decided: the handle for await_approval. */
    approval_id: z.string().optional(),
    status: z.enum(['pending_approval', 'denied', 'done', 'failed']).optional(),
  }),
});

/** What the calls of a tool came to since the program started. */
export const toolMetrics = z.object({
  tool: z.string(),
  calls: z.int().nonnegative(),
  failures: z.int().nonnegative(),
  /** All of them together, in milliseconds and in octets of their answers. */
  totalMs: z.number().nonnegative(),
  totalBytes: z.int().nonnegative(),
});

export type ToolMetricsRecord = z.infer<typeof toolMetrics>;
export type SafetyLevel = z.infer<typeof safetyLevel>;
export type ToolCall = z.infer<typeof toolCall>;
export type ToolResult = z.infer<typeof toolResult>;
