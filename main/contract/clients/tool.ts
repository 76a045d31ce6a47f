/** Tool calls and results as the tool-execution contract defines them (X1–X3, X16). */
import { z } from 'zod';

/** The safety level of a tool. safe: runs immediately; cautious: runs and is logged; dangerous: waits for a person (X7–X9). */
export const safetyLevel = z.enum(['safe', 'cautious', 'dangerous']);

const toolCall = z.object({
  id: z.string(),
  name: z.string().regex(/^[a-z][a-z0-9_]*$/),
  arguments: z.record(z.string(), z.unknown()),
});

const toolResult = z.object({
  id: z.string(),
  success: z.boolean(),
  content: z.string(),
  error: z.string().optional(),
  /** The result as data, for tools that declare its schema. */
  structured: z.record(z.string(), z.unknown()).optional(),
  metadata: z.object({
    execution_time_ms: z.number(),
    safety_level: safetyLevel,
    approved: z.boolean().optional(),
    /** The handle for await_approval; set while a decision is pending or the call is still running. */
    approval_id: z.string().optional(),
    status: z.enum(['pending_approval', 'running', 'denied', 'done', 'failed']).optional(),
  }),
});

/** The metrics of a tool's calls since the program started. */
export const toolMetrics = z.object({
  tool: z.string(),
  calls: z.int().nonnegative(),
  failures: z.int().nonnegative(),
  /** The total time of all calls, in milliseconds. */
  totalMs: z.number().nonnegative(),
  totalBytes: z.int().nonnegative(),
});

export type ToolMetricsRecord = z.infer<typeof toolMetrics>;
export type SafetyLevel = z.infer<typeof safetyLevel>;
export type ToolCall = z.infer<typeof toolCall>;
export type ToolResult = z.infer<typeof toolResult>;
